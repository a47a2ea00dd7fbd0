const UNITS_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Milliseconds of a Go duration (`1h30m`, `90s`), a day being a unit too; of a bare number as seconds. 0 where it is none. */
export function milliseconds(text: string): number {
  const plain = text.trim()
  if (/^\d+(\.\d+)?$/.test(plain)) return Number(plain) * 1000
  const parts = [...plain.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d)/g)]
  const whole = parts.map((part) => part[0]).join('')
  if (whole !== plain || plain === '') return 0
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS_MS[unit ?? ''] ?? 0), 0)
}
