import { closeSync, fdatasync, fsyncSync, openSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { KubeObject } from '../object.ts'
import type { ResourceKey, StoreEvent } from './store.ts'

/** One line of a log: a write, or the whole of an object in a snapshot. */
export interface JournalEntry {
  readonly resourceVersion: number
  readonly resource: ResourceKey
  /** Undefined where the object was removed. */
  readonly object: KubeObject | undefined
  readonly namespace: string
  readonly name: string
}

/** An entry as a line: a checksum, then JSON. */
export function lineOf({ resourceVersion, resource, object, namespace, name }: JournalEntry): string {
  const json = JSON.stringify(
    object === undefined
      ? { v: resourceVersion, g: resource.group, r: resource.resource, ns: namespace, n: name }
      : { v: resourceVersion, g: resource.group, r: resource.resource, o: object },
  )
  return `${checksum(json)} ${json}\n`
}

/** The entry of a line; undefined for a line that was cut off or damaged. */
export function parseLine(line: string): JournalEntry | undefined {
  const json = line.slice(9)
  if (line.length < 10 || line[8] !== ' ' || checksum(json) !== line.slice(0, 8)) return undefined
  const { v, g, r, ns, n, o } = JSON.parse(json) as {
    v: number
    g: string
    r: string
    ns?: string
    n?: string
    o?: KubeObject
  }
  return {
    resourceVersion: v,
    resource: { group: g, resource: r },
    object: o,
    namespace: o?.metadata.namespace ?? ns ?? '',
    name: o?.metadata.name ?? n ?? '',
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}

const syncEveryMs = 200

/**
 * Appends writes to a file. A write has reached the operating system before its request is answered, so it survives
 * the death of the process; it is forced to disk at most 200 ms later, which is what a loss of power may cost.
 */
export class Journal {
  readonly #file: number
  #timer: NodeJS.Timeout | undefined
  #bytes = 0

  constructor(path: string) {
    this.#file = openSync(path, 'a', 0o600)
  }

  /** How much was written since it was opened. */
  get bytes(): number {
    return this.#bytes
  }

  add(event: StoreEvent): void {
    const { resourceVersion, resource, type, object, namespace, name } = event
    const line = lineOf({ resourceVersion, resource, object: type === 'DELETED' ? undefined : object, namespace, name })
    this.#bytes += writeSync(this.#file, line)
    this.#timer ??= setTimeout(() => this.#sync(), syncEveryMs).unref()
  }

  close(): void {
    clearTimeout(this.#timer)
    fsyncSync(this.#file)
    closeSync(this.#file)
  }

  #sync(): void {
    this.#timer = undefined
    // A failing disk shows in the next write; there is nobody to tell here.
    fdatasync(this.#file, () => undefined)
  }
}
