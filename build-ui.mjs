// Bundles what is drawn in a page: the editor's panel and the window. Used by build.mjs, and by tests that need a page.
import { build } from 'esbuild'
import { existsSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))

/** Writes `panel.js`, `window.js`, `index.html` and `icon.svg` into a folder. */
export async function buildUi(outdir) {
  await mkdir(outdir, { recursive: true })
  const page = {
    bundle: true,
    platform: 'browser',
    target: 'chrome120',
    format: 'esm',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    loader: { '.svg': 'text' },
  }
  const entries = [
    ['panel', join(root, 'shared/ui/panel-main.ts')],
    ['window', join(root, 'desktop/renderer/main.ts')],
  ].filter(([, file]) => existsSync(file))
  await Promise.all(entries.map(([name, file]) => build({ ...page, entryPoints: { [name]: file }, outdir })))
  await copyFile(join(root, 'desktop/window.html'), join(outdir, 'index.html'))
  await copyFile(join(root, 'media/plumbline.svg'), join(outdir, 'icon.svg'))
}
