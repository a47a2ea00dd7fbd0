const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago a moment was, in one unit. A moment ahead of us is a clock that differs, and is now. Empty for what is no time. */
export function timeAgo(time: string, now: number): string {
  const age = now - Date.parse(time)
  if (Number.isNaN(age)) return ''
  return age < 5 * SECOND ? 'just now' : `${inOneUnit(age)} ago`
}

/** As `timeAgo`, with "about" where the moment is known only to lie within a good part of its age. */
export function timeAgoWithin(since: string | undefined, time: string, now: number): string {
  const told = timeAgo(time, now)
  if (since === undefined || told === '' || told === 'just now') return told
  const width = Date.parse(time) - Date.parse(since)
  return width > MINUTE && width > (now - Date.parse(time)) / 5 ? `about ${told}` : told
}

/** A span of time in milliseconds, as a person counts it: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 10 * SECOND) return `${Math.round(ms / 100) / 10} s`
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`
  if (ms < HOUR) return inTwoUnits(ms, MINUTE, 'min', SECOND, 's')
  return ms < DAY ? inTwoUnits(ms, HOUR, 'h', MINUTE, 'min') : inTwoUnits(ms, DAY, 'd', HOUR, 'h')
}

function inTwoUnits(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small)
  return `${Math.floor(ms / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`
}

function inOneUnit(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`
  if (ms < 2 * DAY) return `${Math.floor(ms / HOUR)} h`
  if (ms < 60 * DAY) return `${Math.floor(ms / DAY)} d`
  const months = Math.floor(ms / (30 * DAY))
  return months < 24 ? `${months} months` : `${Math.floor(ms / (365 * DAY))} years`
}
