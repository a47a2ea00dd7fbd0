/** Lines out of chunks that may end anywhere, inside a character too. A carriage return ends a line as a newline does. */
export class LineSplitter {
  readonly #decoder = new TextDecoder()
  readonly #onLine: (line: string) => void
  #rest = ''

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  push(chunk: Uint8Array): void {
    this.#take(this.#decoder.decode(chunk, { stream: true }))
  }

  /** Hands on what had no newline. */
  end(): void {
    this.#take(this.#decoder.decode())
    if (this.#rest !== '') this.#onLine(this.#rest)
    this.#rest = ''
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split(/\r?\n|\r(?=.)/)
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#onLine(line)
  }
}
