/** A string of base64 as Go's decoder takes it, written again; throws in its words. */
export function decodeBytes(text: string): string {
  const clean = /[\r\n]/u.test(text) ? text.replaceAll(/[\r\n]/gu, '') : text
  const bad = /[^A-Za-z0-9+/]/u.exec(clean)
  const body = bad ? clean.slice(0, bad.index) : clean
  const padding = clean.length - body.length
  const whole = clean.length % 4 === 0
  const validPadding = padding === 0 || (padding <= 2 && /^={1,2}$/u.test(clean.slice(body.length)))
  if (!whole || !validPadding) throw new Error(`illegal base64 data at input byte ${firstBadByte(clean, body.length)}`)
  return Buffer.from(clean, 'base64').toString('base64')
}

/** Where Go's decoder stops: at the first foreign character, else at the start of the group that is cut short. */
function firstBadByte(text: string, validLength: number): number {
  if (validLength < text.length) {
    if (text[validLength] !== '=') return validLength
    const inGroup = validLength % 4
    if (inGroup < 2) return validLength
    return text.length > validLength + (4 - inGroup) ? validLength + (4 - inGroup) : text.length
  }
  return text.length - (text.length % 4)
}

const timePattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)([.,]\d+)?(Z|[+-]\d\d:\d\d)$/u

const microLayout = '2006-01-02T15:04:05.000000Z07:00'

/** RFC 3339 in any zone, written again in UTC: whole seconds, or microseconds. */
export function decodeTime(raw: unknown, micro: boolean): string {
  if (typeof raw !== 'string') {
    const word = Array.isArray(raw) ? 'array' : typeof raw === 'boolean' ? 'bool' : typeof raw
    throw new Error(`json: cannot unmarshal ${word} into Go value of type string`)
  }
  const match = timePattern.exec(raw)
  const ms = match ? Date.parse(raw.replace(',', '.')) : Number.NaN
  if (!match || Number.isNaN(ms)) {
    const layout = micro ? microLayout : '2006-01-02T15:04:05Z07:00'
    throw new Error(`parsing time ${JSON.stringify(raw)} as "${layout}": cannot parse ${JSON.stringify(raw)} as "2006"`)
  }
  if (micro && !/[.,]\d{6}$/u.test(raw.slice(0, 26))) {
    const rest = raw.slice(19)
    throw new Error(`parsing time ${JSON.stringify(raw)} as "${microLayout}": cannot parse "${rest}" as ".000000"`)
  }
  const seconds = new Date(ms).toISOString().slice(0, 19)
  if (!micro) return `${seconds}Z`
  return `${seconds}.${(match[7] ?? '.').slice(1, 7).padEnd(6, '0')}Z`
}

const units: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 6e10, h: 3.6e12 }

/** A Go duration (`1h30m`), written again as Go prints it. */
export function decodeDuration(raw: unknown): string {
  const text = typeof raw === 'string' ? raw : ''
  if (!/^[-+]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h))+)$/u.test(text)) {
    throw new Error(`time: invalid duration ${JSON.stringify(raw)}`)
  }
  let nanoseconds = 0
  for (const [, number = '', unit = ''] of text.matchAll(/([\d.]+)([a-zµ]+)/gu)) {
    nanoseconds += Number(number) * (units[unit] ?? 0)
  }
  return (text.startsWith('-') ? '-' : '') + goDuration(nanoseconds)
}

function goDuration(nanoseconds: number): string {
  if (nanoseconds === 0) return '0s'
  if (nanoseconds < 1e3) return `${nanoseconds}ns`
  if (nanoseconds < 1e6) return `${nanoseconds / 1e3}µs`
  if (nanoseconds < 1e9) return `${nanoseconds / 1e6}ms`
  const hours = Math.floor(nanoseconds / 3.6e12)
  const minutes = Math.floor((nanoseconds % 3.6e12) / 6e10)
  const seconds = `${(nanoseconds % 6e10) / 1e9}s`
  if (hours > 0) return `${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${minutes}m${seconds}` : seconds
}
