import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Another process keeps its state in the folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
  readonly reason = 'in-use' as const
  readonly pid: number

  constructor(path: string, pid: number) {
    super(`${path} is in use by process ${pid}`)
    this.pid = pid
  }

  static is(error: unknown): error is FolderInUseError {
    return error instanceof FolderInUseError
  }
}

/**
 * Takes a folder for this process; the answer lets it go. A lock whose process is gone is taken over.
 *
 * @throws FolderInUseError
 */
export async function lockFolder(path: string): Promise<() => Promise<void>> {
  const file = join(path, 'lock')
  for (let attempt = 0; ; attempt++) {
    try {
      const handle = await open(file, 'wx', 0o600)
      await handle.write(String(process.pid))
      await handle.close()
      return () => rm(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 1) throw error
      const pid = Number(await readFile(file, 'utf8').catch(() => '0'))
      if (pid === process.pid || isAlive(pid)) throw new FolderInUseError(path, pid)
      await rm(file, { force: true })
    }
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
