import { sleep } from '../base/abort.ts'
import type { Cancellable } from '../model/ports.ts'
import { ClustersError } from './clusters-error.ts'

const POLL_MS = 50

/**
 * Waits until something holds; an error of the question means not yet, unless it is one of ours.
 * @param describe what to say of why it does not, once the time is over
 * @throws ClustersError `not-ready`, CancelledError
 */
export async function until(
  what: string,
  limitMs: number,
  holds: () => Promise<boolean>,
  { describe, ...options }: Cancellable & { readonly describe: () => Promise<string> },
): Promise<void> {
  const deadline = Date.now() + limitMs
  for (;;) {
    try {
      if (await holds()) return
    } catch (error) {
      if (ClustersError.is(error)) throw error
    }
    if (Date.now() > deadline) {
      const said = await describe()
      const message = `${what} is not ready after ${Math.round(limitMs / 1000)} s${said === '' ? '' : `\n${said}`}`
      throw new ClustersError('not-ready', message, 'give it more time, or look at its logs')
    }
    await sleep(POLL_MS, options)
  }
}
