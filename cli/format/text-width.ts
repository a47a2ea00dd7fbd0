import stringWidth from 'string-width'

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Columns that a text takes in a terminal. */
export function textWidth(text: string): number {
  return isPlainAscii(text) ? text.length : stringWidth(text)
}

/** The text in at most so many columns; what does not fit gives way to `…`. */
export function fitText(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  if (width <= 0) return ''
  let taken = 0
  let fitted = ''
  for (const { segment } of GRAPHEMES.segment(text)) {
    const wide = textWidth(segment)
    if (taken + wide > width - 1) break
    fitted += segment
    taken += wide
  }
  return `${fitted.trimEnd()}…`
}

/** A text on one line, with nothing in it that steers a terminal: commits, names and server messages come from outside. */
export function onOneLine(text: string): string {
  if (isPlainAscii(text)) return text
  return harmless(text.replace(/\s*[\r\n\t\v\f\u0085\u2028\u2029]+\s*/g, ' ')).trimEnd()
}

/** Shows control characters as such. Bidirectional overrides go too, since they make a line read as something else. */
export function harmless(text: string): string {
  return isPlainAscii(text) ? text : text.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '\uFFFD')
}

function isPlainAscii(text: string): boolean {
  return /^[\u0020-\u007E]*$/.test(text)
}
