const brand = Symbol.for('plumbline.cancelled')

/** The caller asked for an end; never shown as a failure. Known by brand, since bundles may hold this class twice. */
export class CancelledError extends Error {
  readonly [brand] = true
  constructor(cause?: unknown) {
    super('cancelled', { cause })
    this.name = 'CancelledError'
  }
}

/** The time that an operation was given is over. */
export class TimedOutError extends Error {
  readonly timeoutMs: number
  constructor(timeoutMs: number, what: string) {
    super(`${what} took longer than ${timeoutMs / 1000} s`)
    this.name = 'TimedOutError'
    this.timeoutMs = timeoutMs
  }

  static is(error: unknown): error is TimedOutError {
    return error instanceof TimedOutError
  }
}

/** @returns whether an error only says that the caller cancelled, whoever made it (ours, Node's, fetch's). */
export function isCancelled(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  if (brand in error) return true
  const { name, code } = error as { name?: unknown; code?: unknown }
  return name === 'AbortError' || code === 'ABORT_ERR'
}

/** @throws CancelledError when the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new CancelledError(signal.reason)
}

/** Runs a listener when the signal fires, at once if it has. @returns the listener's removal. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => undefined
  if (signal.aborted) {
    listener()
    return () => undefined
  }
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}

/** Waits. @throws CancelledError when the signal fires first. */
export async function sleep(ms: number, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const wait = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await abortable(wait, { signal })
  } finally {
    clearTimeout(timer)
  }
}

/** A promise that is left alone once the signal fires. @throws CancelledError then. */
export async function abortable<T>(
  promise: Promise<T>,
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<T> {
  if (signal === undefined) return promise
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const remove = onAbort(signal, () => reject(new CancelledError(signal.reason)))
  try {
    return await Promise.race([promise, aborted])
  } finally {
    remove()
    // A promise that lost the race may reject later, with nobody listening.
    promise.catch(() => undefined)
  }
}

/**
 * Gives work a signal that fires with the caller's or after a time.
 * @throws TimedOutError when the time ends it, CancelledError when the caller does.
 */
export async function withTimeout<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  { signal, what = 'the operation' }: { readonly signal?: AbortSignal | undefined; readonly what?: string } = {},
): Promise<T> {
  throwIfAborted(signal)
  const own = new AbortController()
  const late = new TimedOutError(timeoutMs, what)
  const timer = setTimeout(() => own.abort(late), timeoutMs)
  const remove = onAbort(signal, () => own.abort(signal?.reason))
  try {
    return await abortable(work(own.signal), { signal: own.signal })
  } catch (error) {
    if (own.signal.reason === late && isCancelled(error)) throw late
    throw error
  } finally {
    clearTimeout(timer)
    remove()
  }
}
