import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'

/** A process, so that another one that got its number later is not taken for it. */
export type ProcessMark = { readonly pid: number; readonly started: string }

/** The mark of a running process; undefined where there is none. */
export async function markOf(pid: number): Promise<ProcessMark | undefined> {
  return isRunning(pid) ? { pid, started: await startOf(pid) } : undefined
}

/** Whether the process that was marked still runs. */
export async function isAlive(mark: ProcessMark): Promise<boolean> {
  if (!isRunning(mark.pid)) return false
  return mark.started === '' || mark.started === (await startOf(mark.pid))
}

/**
 * Processes whose command line names a path; found on Linux only, none elsewhere.
 * @param programs only these, by the file name of a program or a script: what a person looks into the folder with is none of ours
 */
export async function processesNaming(path: string, programs?: readonly string[]): Promise<readonly number[]> {
  const entries = await readdir('/proc').catch(() => [])
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number)
  const named = await Promise.all(
    pids.map(async (pid) => {
      const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
      const at = words.findIndex((word) => word === path || word.includes(`${path}/`))
      return at > 0 && (programs === undefined || words.slice(0, at).some((word) => programs.includes(basename(word))))
    }),
  )
  return pids.filter((pid, index) => named[index] === true && pid !== process.pid)
}

/** Ends processes with all that they started, kindly first. @param graceMs how long they may take */
export async function endProcesses(pids: readonly number[], graceMs: number): Promise<void> {
  for (const pid of pids) send(pid, 'SIGTERM')
  const deadline = Date.now() + graceMs
  while (pids.some(isRunning)) {
    if (Date.now() > deadline) for (const pid of pids) send(pid, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 20))
    if (Date.now() > deadline + 5000) return
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  for (const target of process.platform === 'win32' ? [pid] : [-pid, pid]) {
    try {
      process.kill(target, signal)
      return
    } catch {
      // No group of its own, or gone already.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process began, in the kernel's own count (proc(5), field 22 of `stat`); empty where that cannot be asked. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field is the program's name in brackets, and may hold spaces.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A dead child that its parent has not asked for yet has a number still.
  return state === 'Z' ? 'ended' : (rest[18] ?? '')
}
