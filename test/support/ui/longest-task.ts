import type { Page } from 'playwright-core'

type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of the processor that the thread had. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/**
 * The longest task of the page's own thread while something is done with it, in milliseconds of processor time: what other
 * processes take of a busy machine is not the page's.
 */
export async function longestTask(page: Page, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('the page has no browser')
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as {
    readonly traceEvents: readonly TraceEvent[]
  }
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  )
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) => ph === 'X' && name.endsWith('RunTask') && pages.has(`${pid}/${tid}`),
  )
  if (tasks.length === 0) throw new Error('the trace has no task')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000))
}
