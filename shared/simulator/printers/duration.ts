/** A span in at most two units, as apimachinery `pkg/util/duration` prints it. */
export function humanDuration(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(seconds / 3_600)
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (hours < 192) return hours % 24 === 0 ? `${days}d` : `${days}d${hours % 24}h`
  if (hours < 24 * 365 * 2) return `${days}d`
  const years = Math.floor(hours / 24 / 365)
  if (hours >= 24 * 365 * 8) return `${years}y`
  const rest = Math.floor((hours / 24) % 365)
  return rest === 0 ? `${years}y` : `${years}y${rest}d`
}
