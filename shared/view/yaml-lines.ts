import { EVENT_ID, SCALAR_STYLE, getScalarValue, parseEvents, type Event } from 'js-yaml'
import { toPointer } from '../model/pointer.ts'

/** On which line of a YAML text each field stands: JSON pointer -> line, counted from 1. A field is where its key is. */
export function yamlLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  const starts = lineStarts(text)
  const events = parseEvents(text, { maxDepth: 1000 })
  let next = 0
  const visit = (path: readonly (string | number)[], offset: number): void => {
    const event = events[next]
    next += 1
    if (event === undefined) return
    const own = offset >= 0 ? offset : startOf(event, text)
    if (own >= 0) lines.set(toPointer(path), lineAt(starts, own))
    if (event.type === EVENT_ID.SEQUENCE) {
      for (let index = 0; !ended(events[next]); index += 1) visit([...path, index], -1)
      next += 1
    } else if (event.type === EVENT_ID.MAPPING) {
      while (!ended(events[next])) {
        const key = events[next]
        next += 1
        if (key?.type === EVENT_ID.SCALAR) visit([...path, getScalarValue(text, key)], startOf(key, text))
        else visit(path, -1)
      }
      next += 1
    }
  }
  if (events[next]?.type === EVENT_ID.DOCUMENT) next += 1
  visit([], 0)
  return lines
}

function ended(event: Event | undefined): boolean {
  return event === undefined || event.type === EVENT_ID.POP
}

function startOf(event: Event, text: string): number {
  if (event.type === EVENT_ID.SCALAR) {
    const block = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK
    // A block's text starts on the line after its `|`, where its item is.
    return block ? text.lastIndexOf('\n', event.valueStart - 1) : event.valueStart
  }
  return event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE ? event.start : -1
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low + 1
}
