// Bundles the command line, the extension, the window and the agent into dist/. Run by `npm install` (prepare), so that `plumbline` works at once.
import { build } from 'esbuild'
import { copyFile, rm } from 'node:fs/promises'
import { buildDesktop } from './build-desktop.mjs'
import { EMBEDDED, modules, node } from './build-options.mjs'
import { buildUi } from './build-ui.mjs'

await rm('dist', { recursive: true, force: true })
await Promise.all([
  buildUi('dist/ui'),
  build({
    ...modules,
    entryPoints: { cli: 'cli/main.ts', 'jq-worker': 'shared/base/jq-worker.ts', 'embedded-main': EMBEDDED },
    outdir: 'dist',
    sourcemap: true,
  }),
  // Shipped with the extension, where size counts.
  build({
    ...modules,
    entryPoints: { main: 'shared/agent/main.ts', 'jq-worker': 'shared/base/jq-worker.ts', 'embedded-main': EMBEDDED },
    outdir: 'dist/agent',
    minify: true,
  }),
  buildDesktop('dist/desktop'),
  build({
    ...node,
    entryPoints: { extension: 'extension/main.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    external: ['vscode'],
    minify: true,
  }),
])
// Lua, for the health scripts of argocd-cm; looked for beside the bundles.
const lua = 'node_modules/wasmoon/dist/glue.wasm'
await Promise.all(['dist', 'dist/agent'].map((folder) => copyFile(lua, `${folder}/glue.wasm`)))
