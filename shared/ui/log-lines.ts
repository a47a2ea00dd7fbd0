import type { EventRow } from '../model/front.ts'

export type LogLevel = 'info' | 'warning' | 'error'

/** Where programs write how bad a line is: `level=error`, `"level":"warn"`, `[ERROR]`, `WARN `, klog's `E1120`. */
const STATED =
  /(?:\blevel["']?\s*[=:]\s*["']?|\bseverity["']?\s*[=:]\s*["']?|^[\d\s:.,TZ+\-/[\]|()]{0,40})(fatal|panic|critical|error|err|warning|warn)\b/i
const KLOG = /^([EFW])\d{4} \d\d:/

/** How bad a line says that it is. */
export function levelOf(text: string): LogLevel {
  const head = text.slice(0, 400)
  const letter = KLOG.exec(head)?.[1]
  if (letter !== undefined) return letter === 'W' ? 'warning' : 'error'
  const word = STATED.exec(head)?.[1]?.toLowerCase()
  if (word === undefined) return 'info'
  return word.startsWith('warn') ? 'warning' : 'error'
}

/** Known events with new ones in their place, the newest first. */
export function mergeEvents(known: readonly EventRow[], fresh: readonly EventRow[]): readonly EventRow[] {
  const merged = new Map(known.map((event) => [event.uid, event]))
  for (const event of fresh) merged.set(event.uid, event)
  return [...merged.values()].sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0))
}
