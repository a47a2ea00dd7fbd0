// Bundles the command line, the extension, the window and the agent into dist/. Run by `npm install` (prepare), so that `plumbline` works at once.
import { build } from 'esbuild'
import { copyFile, rm } from 'node:fs/promises'
import { buildUi } from './build-ui.mjs'

await rm('dist', { recursive: true, force: true })
const node = { bundle: true, platform: 'node', target: 'node22', legalComments: 'none', logLevel: 'warning' }
const modules = {
  ...node,
  format: 'esm',
  splitting: true,
  // Bundled CommonJS packages ask for `require` and file names, which ES modules do not have.
  banner: {
    js: "import { createRequire as plumblineRequire } from 'node:module'; import { fileURLToPath as plumblinePath } from 'node:url'; const require = plumblineRequire(import.meta.url); const __filename = plumblinePath(import.meta.url); const __dirname = plumblinePath(new URL('.', import.meta.url));",
  },
}
// The embedded cluster's own process, looked for beside the bundles.
const EMBEDDED = 'shared/clusters/embedded-main.ts'
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
  // The window in Electron: the page and the agent's process lie beside it.
  build({
    ...modules,
    entryPoints: {
      main: 'desktop/main/main.ts',
      'agent-process': 'desktop/main/agent-process.ts',
      'jq-worker': 'shared/base/jq-worker.ts',
      'embedded-main': EMBEDDED,
    },
    outdir: 'dist/desktop',
    external: ['electron'],
    minify: true,
  }),
  build({
    ...node,
    entryPoints: { preload: 'desktop/preload/preload.ts' },
    outdir: 'dist/desktop',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    external: ['electron'],
  }),
  buildUi('dist/desktop/ui'),
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
await Promise.all(['dist', 'dist/agent', 'dist/desktop'].map((folder) => copyFile(lua, `${folder}/glue.wasm`)))
