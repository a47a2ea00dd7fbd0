import { goQuoteChar } from './go-quote.ts'

/**
 * What Go's `encoding/json` says about text that is no JSON; undefined for text that is. Only looked at after
 * `JSON.parse` has failed (or to word an error), so it may be slow.
 */
export function goSyntaxError(text: string): string | undefined {
  try {
    const at = skipValue(text, skipSpace(text, 0))
    const end = skipSpace(text, at)
    if (end < text.length) throw new Complaint(text, end, 'after top-level value')
    return undefined
  } catch (error) {
    if (error instanceof Complaint) return error.message
    throw error
  }
}

class Complaint extends Error {
  constructor(text: string, at: number, context: string) {
    // Go looks at bytes.
    const whole = text.codePointAt(at)
    const character =
      whole === undefined ? undefined : String.fromCharCode(Buffer.from(String.fromCodePoint(whole))[0] ?? 0)
    super(
      character === undefined
        ? 'unexpected end of JSON input'
        : `invalid character ${goQuoteChar(character)} ${context}`,
    )
  }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text[at] ?? '')) at++
  return at
}

/** The deepest nesting that is followed; Go's decoder stops at 10,000 with the same words. */
const maximumDepth = 1_000

function skipValue(text: string, at: number, depth = 0): number {
  const first = text[at]
  if (depth > maximumDepth) throw new Complaint(text, at, 'exceeded max depth')
  if (first === '{') return skipObject(text, at + 1, depth + 1)
  if (first === '[') return skipArray(text, at + 1, depth + 1)
  if (first === '"') return skipString(text, at + 1)
  if (first !== undefined && '-0123456789'.includes(first)) return skipNumber(text, at)
  for (const word of ['true', 'false', 'null']) if (word[0] === first) return skipWord(text, at, word)
  throw new Complaint(text, at, 'looking for beginning of value')
}

function skipObject(text: string, from: number, depth: number): number {
  let at = skipSpace(text, from)
  if (text[at] === '}') return at + 1
  for (;;) {
    if (text[at] !== '"') throw new Complaint(text, at, 'looking for beginning of object key string')
    at = skipSpace(text, skipString(text, at + 1))
    if (text[at] !== ':') throw new Complaint(text, at, 'after object key')
    at = skipSpace(text, skipValue(text, skipSpace(text, at + 1), depth))
    if (text[at] === '}') return at + 1
    if (text[at] !== ',') throw new Complaint(text, at, 'after object key:value pair')
    at = skipSpace(text, at + 1)
  }
}

function skipArray(text: string, from: number, depth: number): number {
  let at = skipSpace(text, from)
  if (text[at] === ']') return at + 1
  for (;;) {
    at = skipSpace(text, skipValue(text, at, depth))
    if (text[at] === ']') return at + 1
    if (text[at] !== ',') throw new Complaint(text, at, 'after array element')
    at = skipSpace(text, at + 1)
  }
}

function skipString(text: string, from: number): number {
  for (let at = from; ; at++) {
    const character = text[at]
    if (character === '"') return at + 1
    if (character === undefined || character < ' ') throw new Complaint(text, at, 'in string literal')
    if (character !== '\\') continue
    at++
    if (text[at] === 'u') {
      for (let digit = 0; digit < 4; digit++) {
        at++
        if (!/[0-9a-fA-F]/u.test(text[at] ?? '')) throw new Complaint(text, at, 'in \\u hexadecimal character escape')
      }
    } else if (!'"\\/bfnrt'.includes(text[at] ?? 'x')) throw new Complaint(text, at, 'in string escape code')
  }
}

function skipNumber(text: string, from: number): number {
  let at = from
  const digits = (context: string): void => {
    if (!/\d/u.test(text[at] ?? '')) throw new Complaint(text, at, context)
    while (/\d/u.test(text[at] ?? '')) at++
  }
  if (text[at] === '-') at++
  if (text[at] === '0') at++
  else digits('in numeric literal')
  if (text[at] === '.') {
    at++
    digits('after decimal point in numeric literal')
  }
  if (text[at] === 'e' || text[at] === 'E') {
    at++
    if (text[at] === '+' || text[at] === '-') at++
    digits('in exponent of numeric literal')
  }
  return at
}

function skipWord(text: string, from: number, word: string): number {
  for (let i = 1; i < word.length; i++) {
    if (text[from + i] !== word[i]) {
      // The scanner sees a space where the text ends within a word.
      if (from + i >= text.length)
        throw new Complaint(`${text} `, from + i, `in literal ${word} (expecting ${goQuoteChar(word[i] ?? '')})`)
      throw new Complaint(text, from + i, `in literal ${word} (expecting ${goQuoteChar(word[i] ?? '')})`)
    }
  }
  return from + word.length
}
