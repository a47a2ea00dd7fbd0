/** How a quantity was written: `12M`, `12Mi` or `12e6`. */
type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent'

/** An exact amount, `unscaled * 10 ** exponent`, as apimachinery `pkg/api/resource` reads it. */
export interface Quantity {
  readonly unscaled: bigint
  readonly exponent: number
  readonly format: QuantityFormat
  /** The text it came in, where the server keeps it as it is. */
  readonly text?: string
}

const problems = {
  format: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  suffix: "unable to parse quantity's suffix",
  numeric: 'unable to parse numeric part of quantity',
  size: 'the number is too long',
}

/** The most digits that are read; the work grows with their square. */
const mostDigits = 400_000

/** A text that is no quantity; the message is the server's. */
export class QuantityError extends Error {
  readonly reason: keyof typeof problems

  constructor(reason: keyof typeof problems) {
    super(problems[reason])
    this.name = 'QuantityError'
    this.reason = reason
  }

  static is(error: unknown): error is QuantityError {
    return error instanceof QuantityError
  }
}

const pattern = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/
const decimalSuffixes: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
])
const suffixByExponent: ReadonlyMap<number, string> = new Map([...decimalSuffixes].map(([suffix, e]) => [e, suffix]))
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const int64Max = 2n ** 63n - 1n
const nano = -9

interface Suffix {
  readonly format: QuantityFormat
  /** Of ten. */
  readonly exponent: number
  /** Of two. */
  readonly shift: number
}

/** @throws QuantityError */
export function parseQuantity(text: string): Quantity {
  const match = text === '' ? null : pattern.exec(text)
  if (match === null) throw new QuantityError('format')
  const [, sign = '', whole = '', fraction = '', suffixText = ''] = match
  const suffix = interpretSuffix(suffixText)
  if (suffix === undefined) throw new QuantityError('suffix')
  if (whole.length + fraction.length > mostDigits) throw new QuantityError('size')
  const digits = `${whole.replace(/^0+/, '') || '0'}${fraction}`
  const value = BigInt(digits)
  const magnitude = value << BigInt(suffix.shift)
  const unscaled = sign === '-' ? -magnitude : magnitude
  const exponent = suffix.exponent - fraction.length
  if (!isFast(digits.length, fraction, suffix, exponent) || magnitude > int64Max) {
    if (whole === '' && fraction === '') throw new QuantityError('numeric')
    return limited(unscaled, exponent, suffix.format)
  }
  const keepsText =
    suffix.format === 'BinarySI'
      ? (value & 7n) !== 0n
      : exponent % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0')
  return { unscaled, exponent, format: suffix.format, ...(keepsText ? { text } : {}) }
}

/** The parser's fast path: few enough digits for 64 bits. Only there may the text stay as it was written. */
function isFast(digits: number, fraction: string, suffix: Suffix, exponent: number): boolean {
  if (suffix.format === 'BinarySI') return fraction === '' && 14 - digits - Math.trunc((suffix.shift * 3) / 10) >= 0
  return digits <= 18 && exponent >= nano
}

function interpretSuffix(text: string): Suffix | undefined {
  const decimal = decimalSuffixes.get(text)
  if (decimal !== undefined) return { format: 'DecimalSI', exponent: decimal, shift: 0 }
  const binary = binarySuffixes.indexOf(text)
  if (binary > 0) return { format: 'BinarySI', exponent: 0, shift: binary * 10 }
  return /^[eE][-+]?[0-9]+$/.test(text)
    ? { format: 'DecimalExponent', exponent: Number(text.slice(1)) | 0, shift: 0 }
    : undefined
}

/** Rounds away from zero to nano, caps binary amounts at 2^63-1 and shows those below one in decimals. */
function limited(amount: bigint, scale: number, format: QuantityFormat): Quantity {
  const rounded: Quantity = { ...roundUp({ unscaled: amount, exponent: scale, format }, nano), format }
  if (format !== 'BinarySI') return rounded
  const negative = rounded.unscaled < 0n
  const size = { ...rounded, unscaled: negative ? -rounded.unscaled : rounded.unscaled }
  if (compareQuantities(size, { unscaled: int64Max, exponent: 0, format }) > 0) {
    return { unscaled: negative ? -int64Max : int64Max, exponent: 0, format }
  }
  const belowOne = size.unscaled > 0n && compareQuantities(size, { unscaled: 1n, exponent: 0, format }) < 0
  return belowOne ? { ...rounded, format: 'DecimalSI' } : rounded
}

/** The amount rounded away from zero to a power of ten, which loses the text. */
export function roundUp(quantity: Quantity, exponent: number): Quantity {
  const places = exponent - quantity.exponent
  if (places <= 0) return quantity
  const { unscaled, format } = quantity
  if (unscaled === 0n) return { unscaled, exponent, format }
  const tooSmall = places > unscaled.toString().length
  const divisor = tooSmall ? 1n : 10n ** BigInt(places)
  const quotient = tooSmall ? 0n : unscaled / divisor
  const exact = !tooSmall && quotient * divisor === unscaled
  const away = unscaled > 0n ? 1n : -1n
  return { unscaled: exact ? quotient : quotient + away, exponent, format }
}

/** -1, 0 or 1; exact, also for exponents far apart. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const sign = signOf(a.unscaled) - signOf(b.unscaled)
  if (sign !== 0 || a.unscaled === 0n) return Math.sign(sign)
  const order = magnitudeOf(a) - magnitudeOf(b)
  if (order !== 0) return Math.sign(order) * signOf(a.unscaled)
  const low = Math.min(a.exponent, b.exponent)
  const x = a.unscaled * 10n ** BigInt(a.exponent - low)
  const y = b.unscaled * 10n ** BigInt(b.exponent - low)
  if (x === y) return 0
  return x < y ? -1 : 1
}

function signOf(value: bigint): number {
  if (value === 0n) return 0
  return value < 0n ? -1 : 1
}

/** The place of the leading digit. */
function magnitudeOf(quantity: Quantity): number {
  const digits = quantity.unscaled.toString()
  return quantity.exponent + digits.length - (quantity.unscaled < 0n ? 1 : 0)
}

/** The sum; the format is that of `a`, or of `b` where `a` is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const exponent = Math.min(a.exponent, b.exponent)
  const unscaled = a.unscaled * 10n ** BigInt(a.exponent - exponent) + b.unscaled * 10n ** BigInt(b.exponent - exponent)
  return { unscaled, exponent, format: a.unscaled === 0n ? b.format : a.format }
}

/** The text that the server writes. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text
  if (quantity.unscaled === 0n) return '0'
  return (quantity.format === 'BinarySI' ? binaryText(quantity) : undefined) ?? decimalText(quantity)
}

function decimalText(quantity: Quantity): string {
  let { unscaled, exponent } = quantity
  while (unscaled % 10n === 0n) {
    unscaled /= 10n
    exponent++
  }
  const over = ((exponent % 3) + 3) % 3
  const digits = unscaled * 10n ** BigInt(over)
  exponent -= over
  if (quantity.format === 'DecimalExponent') return exponent === 0 ? `${digits}` : `${digits}e${exponent}`
  return `${digits}${suffixByExponent.get(exponent) ?? ''}`
}

/** `3Mi`; undefined where the amount is below 1024 or not whole, which is written in decimals. */
function binaryText(quantity: Quantity): string | undefined {
  const scale = 10n ** BigInt(Math.abs(quantity.exponent))
  if (quantity.exponent < 0 && quantity.unscaled % scale !== 0n) return undefined
  let whole = quantity.exponent < 0 ? quantity.unscaled / scale : quantity.unscaled * scale
  if (whole > -1024n && whole < 1024n) return undefined
  let power = 0
  while (whole % 1024n === 0n) {
    whole /= 1024n
    power++
  }
  return `${whole}${binarySuffixes[power] ?? ''}`
}

/**
 * The text that the server stores for a quantity given as a string or number of JSON.
 * @throws QuantityError
 */
export function canonicalQuantity(value: string | number): string {
  return formatQuantity(parseQuantity(String(value).trim()))
}

/** Whether two quantities are the same amount; texts that are no quantities are the same only if equal. */
export function sameQuantity(a: string | number, b: string | number): boolean {
  if (a === b) return true
  try {
    return compareQuantities(parseQuantity(String(a).trim()), parseQuantity(String(b).trim())) === 0
  } catch (error) {
    if (QuantityError.is(error)) return false
    throw error
  }
}
