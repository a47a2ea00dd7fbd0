import { homedir } from 'node:os'
import path from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** Where what may be lost is kept: mirrors, schemas. `XDG_CACHE_HOME`, else the platform's place. */
export function cacheFolder(env: Environment = process.env): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: windows } = env
  if (xdg !== undefined && xdg !== '') return path.join(xdg, 'plumbline')
  if (process.platform === 'win32' && windows !== undefined) return path.join(windows, 'plumbline', 'cache')
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Caches', 'plumbline')
  return path.join(homedir(), '.cache', 'plumbline')
}

/** Where what must outlive a run on this machine is kept: the embedded cluster, choices. `XDG_STATE_HOME`, else the platform's place. */
export function stateFolder(env: Environment = process.env): string {
  const { XDG_STATE_HOME: xdg, LOCALAPPDATA: windows } = env
  if (xdg !== undefined && xdg !== '') return path.join(xdg, 'plumbline')
  if (process.platform === 'win32' && windows !== undefined) return path.join(windows, 'plumbline', 'state')
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Application Support', 'plumbline')
  return path.join(homedir(), '.local', 'state', 'plumbline')
}
