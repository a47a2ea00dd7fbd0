// Bundles the command line into dist/. Run by `npm install` (prepare), so that `plumbline` works at once.
import { build } from 'esbuild'
import { rm } from 'node:fs/promises'

await rm('dist', { recursive: true, force: true })
await build({
  entryPoints: { cli: 'cli/main.ts', 'jq-worker': 'shared/base/jq-worker.ts' },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  splitting: true,
  sourcemap: true,
  legalComments: 'none',
  logLevel: 'warning',
  // Bundled CommonJS packages ask for `require` and file names, which ES modules do not have.
  banner: {
    js: "import { createRequire as plumblineRequire } from 'node:module'; import { fileURLToPath as plumblinePath } from 'node:url'; const require = plumblineRequire(import.meta.url); const __filename = plumblinePath(import.meta.url); const __dirname = plumblinePath(new URL('.', import.meta.url));",
  },
})
