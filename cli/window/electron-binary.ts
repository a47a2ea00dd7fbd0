import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import process from 'node:process'

type Environment = Readonly<Record<string, string | undefined>>

/** Whether the window can open in Electron here. */
export type ElectronFinding =
  | { readonly kind: 'found'; readonly program: string; readonly app: string }
  /** `fetch` is the script that gets it, where this is a clone that has Electron's package. */
  | { readonly kind: 'missing'; readonly fetch: string | undefined }
  | { readonly kind: 'no-display' }

/** Looks for Electron's binary where its package keeps it, and for a display to open a window on. Nothing is fetched. */
export function findElectron(env: Environment): ElectronFinding {
  if (process.platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return { kind: 'no-display' }
  const root = rootFolder()
  const app = path.join(root, 'dist', 'desktop', 'main.js')
  const folder = packageFolder()
  const program = folder === undefined ? undefined : binaryOf(folder, env)
  if (program !== undefined && existsSync(app)) return { kind: 'found', program, app }
  const script = path.join(root, 'desktop', 'fetch-electron.mjs')
  return { kind: 'missing', fetch: folder !== undefined && existsSync(script) ? script : undefined }
}

function packageFolder(): string | undefined {
  try {
    return path.dirname(createRequire(import.meta.url).resolve('electron/package.json'))
  } catch {
    // Plumbline was installed as a package: Electron is a tool of its clones.
    return undefined
  }
}

/** Electron's own rules (`electron/index.js`): `path.txt` names the program below `dist`, or below the folder that is given. */
function binaryOf(folder: string, env: Environment): string | undefined {
  const note = path.join(folder, 'path.txt')
  const given = env['ELECTRON_OVERRIDE_DIST_PATH']
  const name = existsSync(note) ? readFileSync(note, 'utf8') : given ? 'electron' : undefined
  if (name === undefined) return undefined
  const program = path.join(given || path.join(folder, 'dist'), name)
  return existsSync(program) ? program : undefined
}

/** The package's folder, from the built command or from the sources. */
function rootFolder(): string {
  const found = ['..', '../..'].map((up) => path.resolve(import.meta.dirname, up))
  return found.find((folder) => existsSync(path.join(folder, 'package.json'))) ?? import.meta.dirname
}
