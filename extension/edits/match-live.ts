import type { FieldDrift } from '../../shared/model/drift.ts'
import { isArray, isObject } from '../../shared/model/json.ts'
import { toYaml } from '../../shared/view/yaml.ts'
import { keySpan } from '../drift/key-range.ts'
import type { Spot } from '../drift/shift.ts'
import type { TextChange } from './text-edit.ts'

/**
 * The edit that gives a manifest the value that the cluster has. Undefined where it cannot be made without guessing:
 * hidden values, lists and maps, values over several lines, anchors and aliases.
 *
 * @param spot where the field's key stands in the text
 */
export function matchLive(lines: readonly string[], spot: Spot, field: FieldDrift): TextChange | undefined {
  const line = lines[spot.line]
  if (line === undefined || field.desired.kind !== 'value') return undefined
  if (field.live.kind === 'absent') return removal(lines, spot)
  if (field.live.kind !== 'value' || field.kind === 'added-foreign') return undefined
  const { value } = field.live
  if (isArray(value) || isObject(value)) return undefined
  const written = toYaml(value).trimEnd()
  const { end } = keySpan(line, spot.character)
  const found = /^\s*:[ \t]+("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#&*|>{["'!][^#]*?)\s*(?:\s#.*)?$/.exec(
    line.slice(end),
  )
  const old = found?.[1]
  if (old === undefined || written.includes('\n') || isFolded(lines, spot)) return undefined
  const from = end + line.slice(end).indexOf(old)
  return {
    start: { line: spot.line, character: from },
    end: { line: spot.line, character: from + old.length },
    text: written,
  }
}

/** Takes a key and everything below it out. */
function removal(lines: readonly string[], spot: Spot): TextChange | undefined {
  const line = lines[spot.line] ?? ''
  // The first key of a list item shares its line with the dash.
  if (line.slice(0, spot.character).trim() !== '') return undefined
  const last = lastLineBelow(lines, spot)
  return { start: { line: spot.line, character: 0 }, end: { line: last + 1, character: 0 }, text: '' }
}

function isFolded(lines: readonly string[], spot: Spot): boolean {
  return lastLineBelow(lines, spot) > spot.line
}

/** The last line that is indented deeper than the key, blank lines between them included. */
function lastLineBelow(lines: readonly string[], { line, character }: Spot): number {
  let last = line
  for (let index = line + 1; index < lines.length; index += 1) {
    const text = lines[index] ?? ''
    if (text.trim() === '') continue
    const indent = text.length - text.trimStart().length
    // A list may stand as deep as the key that holds it.
    if (indent < character || (indent === character && !/^- |^-$/.test(text.trimStart()))) break
    last = index
  }
  return last
}
