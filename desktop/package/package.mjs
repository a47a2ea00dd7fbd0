// Makes the installers of this platform: AppImage and deb on Linux, dmg on macOS, exe on Windows. What they need and is not here
// is said in one line, and the exit status is 1.
import { spawnSync } from 'node:child_process'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDesktop } from '../../build-desktop.mjs'

const BUILDER = 'electron-builder@26.17.0'
const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const require = createRequire(import.meta.url)
process.chdir(root)

const electron = require.resolve('electron/package.json')
const { version: electronVersion } = require(electron)
// Does nothing where the binary is there already.
const fetched = run(process.execPath, [join(dirname(electron), 'install.js')], 'pipe')
if (fetched.status !== 0) missing(`Electron ${electronVersion}, which comes from GitHub (${firstLine(fetched.stderr)})`)

const { name, version, description, license } = JSON.parse(await readFile('package.json', 'utf8'))
const app = 'dist/package'
await rm(app, { recursive: true, force: true })
await buildDesktop(app)
await cp('README.md', join(app, 'README.md'))
const manifest = { name, version, description, license, author: 'Plumbline', type: 'module', main: 'main.js' }
await writeFile(join(app, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)

const words = [
  '--yes',
  BUILDER,
  '--config',
  'desktop/package/electron-builder.json',
  `-c.electronVersion=${electronVersion}`,
]
const built = run(
  'npx',
  [...words, `-c.electronDist=${join(dirname(electron), 'dist')}`, ...process.argv.slice(2)],
  'inherit',
)
if (built.status !== 0) missing('what electron-builder fetches for installers; its own words stand above')
console.log('the installers lie in dist/installers')

function run(program, args, stdio) {
  return spawnSync(program, args, {
    stdio: ['ignore', stdio, stdio],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
}

function firstLine(text) {
  return (text ?? '').trim().split('\n')[0]
}

function missing(what) {
  console.error(`no installer was made: this machine lacks ${what}`)
  process.exit(1)
}
