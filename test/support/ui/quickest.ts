/** Milliseconds of the quickest of a few runs: what a busy machine adds is not the work's. */
export function quickest(work: () => unknown): number {
  let best = Infinity
  for (let n = 0; n < 7; n += 1) {
    const start = performance.now()
    work()
    best = Math.min(best, performance.now() - start)
  }
  return best
}
