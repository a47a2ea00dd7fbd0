/** A place in a text, line and column counted from 1; the column counts UTF-16 units, as editors do. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

const lf = 10
const cr = 13

/** Offsets and positions of one text; line ends are LF, CRLF or CR. Made once per text, then logarithmic. */
export class TextPositions {
  private readonly length: number
  /** Offset at which each line starts. */
  private readonly starts: readonly number[]
  /** Offset at which each line's own characters end, before its line end. */
  private readonly ends: readonly number[]

  constructor(text: string) {
    const starts = [0]
    const ends: number[] = []
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index)
      if (unit !== lf && unit !== cr) continue
      ends.push(index)
      if (unit === cr && text.charCodeAt(index + 1) === lf) index += 1
      starts.push(index + 1)
    }
    ends.push(text.length)
    this.length = text.length
    this.starts = starts
    this.ends = ends
  }

  get lineCount(): number {
    return this.starts.length
  }

  /** An offset beyond the text is taken for its end, one inside a CRLF for the end of its line. */
  positionAt(offset: number): TextPosition {
    const bounded = Math.min(Math.max(offset, 0), this.length)
    let low = 0
    let high = this.starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.starts[middle] ?? 0) <= bounded) low = middle
      else high = middle - 1
    }
    const end = this.ends[low] ?? this.length
    return { line: low + 1, column: Math.min(bounded, end) - (this.starts[low] ?? 0) + 1 }
  }

  /** A position beyond a line is taken for its end, one beyond the text for the text's end. */
  offsetAt({ line, column }: TextPosition): number {
    if (line < 1) return 0
    const start = this.starts[line - 1]
    if (start === undefined) return this.length
    return Math.min(start + Math.max(column - 1, 0), this.ends[line - 1] ?? this.length)
  }
}
