/** One run at a time; whoever calls during a run shares one more run that starts after it. */
export interface SingleFlight<T> {
  /** @returns the result of a run that started after this call, so that it has seen what the caller saw. */
  (): Promise<T>
  readonly running: boolean
}

/** Makes a loop's body safe to trigger at any time and any rate. */
export function singleFlight<T>(work: () => Promise<T>): SingleFlight<T> {
  let current: Promise<T> | undefined
  let trailing: Promise<T> | undefined
  const begin = (): Promise<T> => {
    const run = settle(work).finally(() => {
      if (current === run) current = undefined
    })
    current = run
    return run
  }
  const call = (): Promise<T> => {
    // A promised rerun comes first, or a caller in the turn between the two runs would start a third beside it.
    if (current === undefined && trailing === undefined) return begin()
    trailing ??= (current ?? Promise.resolve()).then(ignore, ignore).then(() => {
      trailing = undefined
      return begin()
    })
    return trailing
  }
  return Object.defineProperty(call, 'running', {
    get: () => current !== undefined || trailing !== undefined,
  }) as SingleFlight<T>
}

async function settle<T>(work: () => Promise<T>): Promise<T> {
  return work()
}

function ignore(): void {
  // The first run's own caller sees its failure.
}
