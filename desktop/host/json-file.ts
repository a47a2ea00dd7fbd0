import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** One small file of ours, readable by its owner only. What cannot be read counts as absent: a choice is lost, nothing else. */
export class JsonFile<T> {
  readonly #file: string
  readonly #read: (value: unknown) => T
  #writing: Promise<void> = Promise.resolve()
  #value: Promise<T> | undefined

  /** @param read makes a whole value of whatever the file holds, `undefined` included */
  constructor(file: string, read: (value: unknown) => T) {
    this.#file = file
    this.#read = read
  }

  async get(): Promise<T> {
    this.#value ??= readFile(this.#file, 'utf8').then(
      (text) => this.#read(parsed(text)),
      () => this.#read(undefined),
    )
    return this.#value
  }

  /** Changes it; changes happen one after another, and a reader never sees half of one. @throws Error of the disk */
  async change(change: (value: T) => T): Promise<T> {
    const next = change(await this.get())
    this.#value = Promise.resolve(next)
    const writing = this.#writeAfter(this.#writing, next)
    this.#writing = writing.catch(() => undefined)
    await writing
    return next
  }

  async #writeAfter(before: Promise<void>, value: T): Promise<void> {
    await before
    await this.#write(value)
  }

  async #write(value: T): Promise<void> {
    await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 })
    const other = `${this.#file}.${process.pid}.new`
    await writeFile(other, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 })
    await rename(other, this.#file)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
