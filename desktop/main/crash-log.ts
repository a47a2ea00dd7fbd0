import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { redact } from '../../shared/base/redact.ts'

const LARGEST_BYTES = 512 * 1024

/** What went wrong in this program, kept on this machine and sent nowhere; credentials are masked. */
export class CrashLog {
  readonly file: string

  constructor(folder: string) {
    this.file = path.join(folder, 'crash.log')
  }

  /** Never throws: it is called when something has failed already. */
  write(what: string, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    try {
      mkdirSync(path.dirname(this.file), { recursive: true, mode: 0o700 })
      if ((statSync(this.file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_BYTES)
        renameSync(this.file, `${this.file}.old`)
      appendFileSync(this.file, `${new Date().toISOString()} ${what}: ${redact(text)}\n`, { mode: 0o600 })
    } catch {
      // A full disk must not hide the first failure behind a second.
    }
  }
}
