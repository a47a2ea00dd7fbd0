// Fetches Electron's binary for a clone of Plumbline, once: into Electron's own cache, against the checksums that its package
// brings. Tells its progress as lines of `received total` on stdout. `npx install-electron` does the same without a word.
import { createRequire } from 'node:module'
import { spawnSync } from 'node:child_process'

const require = createRequire(import.meta.url)
const { version } = require('electron/package.json')
const ofElectron = createRequire(require.resolve('electron/package.json'))
const { downloadArtifact } = await import(ofElectron.resolve('@electron/get'))

await downloadArtifact({
  version,
  artifactName: 'electron',
  platform: process.platform,
  arch: process.arch,
  checksums: require('electron/checksums.json'),
  downloadOptions: {
    quiet: true,
    getProgressCallback: async ({ transferred, total }) => console.log(`${transferred} ${total ?? 0}`),
  },
})
// Unpacks what lies in the cache now.
const end = spawnSync(process.execPath, [require.resolve('electron/install.js')], { stdio: 'inherit' })
process.exitCode = end.status ?? 1
