/** Whatever holds a resource. */
export interface Disposable {
  dispose(): void | Promise<void>
}

/**
 * The one owner of several resources. They end in reverse order of their arrival; what arrives after the end is
 * disposed at once, so that a slow start cannot leak past a quick stop.
 */
export class DisposableStore implements Disposable {
  private readonly owned = new Set<Disposable>()
  private ending: Promise<void> | undefined

  get disposed(): boolean {
    return this.ending !== undefined
  }

  /** Takes ownership. @returns what it was given, so that a field and its registration are one line. */
  add<T extends Disposable>(resource: T): T {
    if (this.ending === undefined) this.owned.add(resource)
    else this.ending = Promise.allSettled([this.ending, disposeOne(resource)]).then(raiseFirst)
    return resource
  }

  /** Takes a function that ends something. */
  defer(dispose: () => void | Promise<void>): void {
    this.add({ dispose })
  }

  /** Ends one resource before the store's own end. */
  async release(resource: Disposable): Promise<void> {
    if (this.owned.delete(resource)) await resource.dispose()
  }

  /** Ends all, also when some fail; the second call waits for the first. @throws AggregateError of every failure. */
  dispose(): Promise<void> {
    this.ending ??= this.disposeAll()
    return this.ending
  }

  private async disposeAll(): Promise<void> {
    const errors: unknown[] = []
    for (const resource of [...this.owned].reverse()) {
      try {
        await resource.dispose()
      } catch (error) {
        errors.push(error)
      }
    }
    this.owned.clear()
    if (errors.length > 0) throw new AggregateError(errors, 'some resources could not be released')
  }
}

async function disposeOne(resource: Disposable): Promise<void> {
  await resource.dispose()
}

function raiseFirst(results: readonly PromiseSettledResult<void>[]): void {
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
