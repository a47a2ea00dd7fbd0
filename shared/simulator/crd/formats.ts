import { isIPv4, isIPv6 } from 'node:net'

const hostLabel = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/u

/**
 * Whether text has a format; formats that kube-apiserver does not check (apiextensions
 * `pkg/apiserver/validation/formats.go`) hold always.
 */
export function hasFormat(text: string, format: string): boolean {
  const check = Object.hasOwn(checks, format) ? checks[format] : undefined
  return check === undefined || check(text)
}

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: (text) => /^[0-9a-fA-F]{24}$/u.test(text),
  uri: isUri,
  email: (text) => /^[^\s@<>]+@[^\s@<>]+$/u.test(text),
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: isCidr,
  mac: (text) => /^(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$|^(?:[0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4}$/u.test(text),
  uuid: (text) => /^[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}$/u.test(text),
  uuid3: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/iu.test(text),
  uuid4: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/iu.test(text),
  uuid5: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/iu.test(text),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: (text) => /^\d{13,19}$/u.test(text.replaceAll(/[ -]/gu, '')),
  ssn: (text) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/u.test(text),
  hexcolor: (text) => /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/u.test(text),
  rgbcolor: (text) => /^rgb\((?:\s*\d{1,3}\s*,){2}\s*\d{1,3}\s*\)$/u.test(text),
  byte: (text) => text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/u.test(text),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/u.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) =>
    /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:?\d{2})$/u.test(text) &&
    !Number.isNaN(Date.parse(text.toUpperCase())),
  duration: (text) => goDurationMs(text) !== undefined,
}

function isUri(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:/u.test(text) || text.startsWith('/')
}

function isHostname(text: string): boolean {
  return (
    text.length <= 253 &&
    text
      .replace(/\.$/u, '')
      .split('.')
      .every((label) => hostLabel.test(label))
  )
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  if (rest.length > 0 || !/^\d{1,3}$/u.test(bits)) return false
  return isIPv4(address) ? Number(bits) <= 32 : isIPv6(address) && Number(bits) <= 128
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[ -]/gu, '')
  if (!/^\d{9}[\dX]$/u.test(digits)) return false
  const sum = Array.from(digits).reduce((total, digit, i) => total + (digit === 'X' ? 10 : Number(digit)) * (10 - i), 0)
  return sum % 11 === 0
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[ -]/gu, '')
  if (!/^\d{13}$/u.test(digits)) return false
  const sum = Array.from(digits).reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}

const units: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1e3, m: 6e4, h: 3.6e6 }

/** Milliseconds of a duration as Go writes it (`1h30m`); undefined for other text. */
export function goDurationMs(text: string): number | undefined {
  const match = /^([+-]?)((?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/u.exec(text)
  if (match === null) return /^[+-]?0$/u.test(text) ? 0 : undefined
  let total = 0
  for (const [, amount = '0', unit = 's'] of text.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/gu)) {
    total += Number(amount) * (units[unit] ?? 0)
  }
  return match[1] === '-' ? -total : total
}
