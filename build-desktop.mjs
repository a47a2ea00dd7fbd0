// Bundles the window for Electron: main, preload, the agent's process and the page. Used by build.mjs, and by tests that open it.
import { build } from 'esbuild'
import { copyFile, cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EMBEDDED, modules, node } from './build-options.mjs'
import { buildUi } from './build-ui.mjs'

const root = dirname(fileURLToPath(import.meta.url))

/** Writes everything that Electron runs into a folder; the page's files lie in `ui` below it. */
export async function buildDesktop(outdir) {
  await mkdir(outdir, { recursive: true })
  await Promise.all([
    build({
      ...modules,
      absWorkingDir: root,
      entryPoints: {
        main: 'desktop/main/main.ts',
        'agent-process': 'desktop/main/agent-process.ts',
        'jq-worker': 'shared/base/jq-worker.ts',
        'embedded-main': EMBEDDED,
      },
      outdir,
      external: ['electron'],
      minify: true,
    }),
    build({
      ...node,
      absWorkingDir: root,
      entryPoints: { preload: 'desktop/preload/preload.ts' },
      outdir,
      outExtension: { '.js': '.cjs' },
      format: 'cjs',
      external: ['electron'],
    }),
    buildUi(join(outdir, 'ui')),
    copyFile(join(root, 'node_modules/wasmoon/dist/glue.wasm'), join(outdir, 'glue.wasm')),
    copyFile(join(root, 'media/icon.png'), join(outdir, 'icon.png')),
    cp(join(root, 'examples/tour'), join(outdir, 'examples/tour'), { recursive: true }),
  ])
}
