// How everything that runs on Node is bundled.

/** CommonJS for a host that loads files of its own. */
export const node = { bundle: true, platform: 'node', target: 'node22', legalComments: 'none', logLevel: 'warning' }

/** ES modules that share what they have in common. */
export const modules = {
  ...node,
  format: 'esm',
  splitting: true,
  // Bundled CommonJS packages ask for `require` and file names, which ES modules do not have.
  banner: {
    js: "import { createRequire as plumblineRequire } from 'node:module'; import { fileURLToPath as plumblinePath } from 'node:url'; const require = plumblineRequire(import.meta.url); const __filename = plumblinePath(import.meta.url); const __dirname = plumblinePath(new URL('.', import.meta.url));",
  },
}

/** The embedded cluster's own process, looked for beside the bundles. */
export const EMBEDDED = 'shared/clusters/embedded-main.ts'
