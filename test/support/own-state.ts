import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Keeps what this process would keep for a person in a folder of its own, gone when it ends. */
export function useOwnState(): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-state-'))
  process.env['XDG_STATE_HOME'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}
