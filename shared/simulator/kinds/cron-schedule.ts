/** A cron schedule of five fields, after robfig/cron v3's standard parser, whose messages the server passes on. */
export interface CronSchedule {
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  readonly weekdays: ReadonlySet<number>
  /** Whether day of month, or day of week, is a star: then the other one alone decides. */
  readonly anyDay: boolean
  readonly anyWeekday: boolean
  /** `@every` of so many milliseconds. */
  readonly everyMs?: number
}

export class CronError extends Error {
  static is(error: unknown): error is CronError {
    return error instanceof CronError
  }
}

interface Bounds {
  readonly min: number
  readonly max: number
  readonly names: readonly string[]
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const bounds = {
  minutes: { min: 0, max: 59, names: [] },
  hours: { min: 0, max: 23, names: [] },
  days: { min: 1, max: 31, names: [] },
  months: { min: 1, max: 12, names: monthNames },
  weekdays: { min: 0, max: 6, names: dayNames },
} as const satisfies Record<string, Bounds>

const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/** Throws {@link CronError}. */
export function parseCron(text: string): CronSchedule {
  if (text === '') throw new CronError('empty spec string')
  const spec = text.replace(/^(?:CRON_)?TZ=\S*\s+/u, '').trim()
  if (spec.startsWith('@')) return parseDescriptor(spec)
  const fields = spec.split(/\s+/u).filter((field) => field !== '')
  if (fields.length !== 5) {
    throw new CronError(`expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`)
  }
  const [minutes = '', hours = '', days = '', months = '', weekdays = ''] = fields
  return {
    minutes: parseField(minutes, bounds.minutes),
    hours: parseField(hours, bounds.hours),
    days: parseField(days, bounds.days),
    months: parseField(months, bounds.months),
    weekdays: parseField(weekdays, bounds.weekdays),
    anyDay: isStar(days),
    anyWeekday: isStar(weekdays),
  }
}

const isStar = (field: string): boolean => field.split(',').some((part) => /^[*?](?:\/1)?$/u.test(part))

function parseDescriptor(spec: string): CronSchedule {
  const known = Object.hasOwn(descriptors, spec) ? descriptors[spec] : undefined
  if (known !== undefined) return parseCron(known)
  const every = /^@every (?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/u.exec(spec)
  if (!every) throw new CronError(`unrecognized descriptor: ${spec}`)
  const seconds = Number(every[1] ?? 0) * 3600 + Number(every[2] ?? 0) * 60 + Number(every[3] ?? 0)
  return { ...parseCron('* * * * *'), everyMs: Math.max(1, seconds) * 1000 }
}

function parseField(field: string, limits: Bounds): ReadonlySet<number> {
  const values = new Set<number>()
  for (const part of field.split(',').filter((piece) => piece !== '')) addRange(part, limits, values)
  return values
}

function addRange(part: string, limits: Bounds, values: Set<number>): void {
  const [range = '', stepText, ...more] = part.split('/')
  const [low = '', high, ...tooMany] = range.split('-')
  let start = limits.min
  let end = limits.max
  if (low !== '*' && low !== '?') {
    start = parseValue(low, limits)
    end = high === undefined ? start : parseValue(high, limits)
    if (tooMany.length > 0) throw new CronError(`too many hyphens: ${part}`)
    if (high === undefined && stepText !== undefined) end = limits.max
  }
  if (more.length > 0) throw new CronError(`too many slashes: ${part}`)
  const step = stepText === undefined ? 1 : parseNumber(stepText)
  if (start < limits.min) throw new CronError(`beginning of range (${start}) below minimum (${limits.min}): ${part}`)
  if (end > limits.max) throw new CronError(`end of range (${end}) above maximum (${limits.max}): ${part}`)
  if (start > end) throw new CronError(`beginning of range (${start}) beyond end of range (${end}): ${part}`)
  if (step === 0) throw new CronError(`step of range should be a positive number: ${part}`)
  for (let value = start; value <= end; value += step) values.add(value)
}

function parseValue(text: string, limits: Bounds): number {
  const named = limits.names.indexOf(text.toLowerCase())
  return named < 0 ? parseNumber(text) : named + limits.min
}

function parseNumber(text: string): number {
  if (!/^[-+]?\d+$/u.test(text)) {
    throw new CronError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`,
    )
  }
  const value = Number(text)
  if (value < 0) throw new CronError(`negative number (${value}) not allowed: ${text}`)
  return value
}

/** The first time after `afterMs` at which the schedule is due, in UTC; undefined where none comes within five years. */
export function nextCronTime(schedule: CronSchedule, afterMs: number): number | undefined {
  if (schedule.everyMs !== undefined) return Math.floor(afterMs / 1000) * 1000 + schedule.everyMs
  const minute = 60_000
  let at = (Math.floor(afterMs / minute) + 1) * minute
  const limit = afterMs + 5 * 366 * 86_400_000
  while (at < limit) {
    const date = new Date(at)
    if (!schedule.months.has(date.getUTCMonth() + 1)) at = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
    else if (!dayMatches(schedule, date)) at = Math.floor(at / 86_400_000) * 86_400_000 + 86_400_000
    else if (!schedule.hours.has(date.getUTCHours())) at = Math.floor(at / 3_600_000) * 3_600_000 + 3_600_000
    else if (!schedule.minutes.has(date.getUTCMinutes())) at += minute
    else return at
  }
  return undefined
}

function dayMatches(schedule: CronSchedule, date: Date): boolean {
  const day = schedule.days.has(date.getUTCDate())
  const weekday = schedule.weekdays.has(date.getUTCDay())
  return schedule.anyDay || schedule.anyWeekday ? day && weekday : day || weekday
}
