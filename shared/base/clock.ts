import { sleep } from './abort.ts'

/** The machine's clock. */
export const systemClock = {
  now: (): number => Date.now(),
  sleep: async (ms: number, options: { readonly signal?: AbortSignal }): Promise<void> => {
    await sleep(ms, options)
  },
}
