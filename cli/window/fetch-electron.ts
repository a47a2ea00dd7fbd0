import process from 'node:process'
import { start } from '../../shared/base/process.ts'
import { confirm } from '../confirm.ts'
import { say, type Io } from '../io.ts'

/** A network that lets nothing through does not say so. */
const SILENCE_MS = 20_000

/** Asks, and fetches Electron's binary once, with progress. @returns why it was not fetched, undefined where it was */
export async function offerElectron(script: string, io: Io): Promise<string | undefined> {
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) return 'Electron is not here, and there is nobody to ask'
  const question = "The window needs Electron's program, about 120 MB from GitHub, once. Fetch it now?"
  if (!(await confirm(question, io))) return 'Electron was not fetched'
  const abort = new AbortController()
  const stop = (): void => abort.abort()
  let silence = setTimeout(stop, SILENCE_MS)
  const child = start(process.execPath, [script], {
    env: { ...io.env },
    signal: AbortSignal.any([io.signal, abort.signal]),
    onStdout: (chunk) => {
      clearTimeout(silence)
      silence = setTimeout(stop, SILENCE_MS)
      const [received, total] = (chunk.toString('utf8').trim().split('\n').at(-1) ?? '').split(' ').map(Number)
      if (Number.isFinite(received) && Number.isFinite(total))
        io.stderr.write(`\r${bar(Number(received), Number(total))}\u001B[K`)
    },
  })
  const end = await child.done
  clearTimeout(silence)
  io.stderr.write('\r\u001B[K')
  if (end.kind === 'exited' && end.code === 0) return undefined
  if (end.kind === 'exited') return `Electron could not be fetched (${end.stderr.trim().split('\n')[0] ?? ''})`
  say(io, '')
  return abort.signal.aborted ? 'Electron could not be fetched (nothing came)' : 'Electron could not be fetched'
}

function bar(received: number, total: number): string {
  const share = total === 0 ? 0 : received / total
  const done = Math.round(share * 30)
  const megabytes = `${(received / 1e6).toFixed(0)} of ${(total / 1e6).toFixed(0)} MB`
  return `Electron  ${'█'.repeat(done)}${'░'.repeat(30 - done)}  ${megabytes}`
}
