import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Workbench } from './workbench.ts'

type Orders = {
  readonly reset: object
  /**
   * Milliseconds for which the thread of the extensions was kept, at the longest: by the clock, and of the thread's own
   * work; and each block by the clock that was longer than 15.
   */
  readonly read: {
    readonly longest: number
    readonly work: number
    readonly blocks: readonly number[]
    readonly heap: number
  }
  readonly activate: { readonly active: boolean; readonly ms: number; readonly work: number }
  readonly commands: { readonly ids: readonly string[] }
  readonly diagnostics: { readonly count: number }
}

/** Asks the probe in the extension host; see `test/support/probe`. */
export async function askProbe<K extends keyof Orders>({ home }: Workbench, order: K): Promise<Orders[K]> {
  const answer = path.join(home, 'answer')
  await rm(answer, { force: true })
  await writeFile(path.join(home, 'order.part'), order)
  await rename(path.join(home, 'order.part'), path.join(home, 'order'))
  for (const end = Date.now() + 120_000; !existsSync(answer);) {
    if (Date.now() > end) {
      const problem = await readFile(path.join(home, 'problem'), 'utf8').catch(() => 'it does not answer')
      throw new Error(`the probe in the extension host: ${problem}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return JSON.parse(await readFile(answer, 'utf8')) as Orders[K]
}
