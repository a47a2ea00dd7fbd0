import { structuredPatch, type StructuredPatchHunk } from 'diff'
import type { FieldDrift, ObjectDrift } from '../model/drift.ts'
import type { JsonObject } from '../model/json.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { Place } from '../model/manifest.ts'
import { blameWords } from './field-sentence.ts'
import { healedObject } from './healed-object.ts'
import { shownObject } from './shown-object.ts'
import { fullLabel } from './words.ts'
import { toYaml } from './yaml.ts'
import { yamlLines } from './yaml-lines.ts'

/** What a sync would make of one object, as unified hunks from the cluster's side to Git's. */
export type ObjectDiff = {
  /** `Deployment shop/guestbook-ui`. */
  readonly title: string
  readonly state: ObjectDrift['state']
  /** `deploy/app.yaml:12`: where Git has the object; empty where it does not. */
  readonly source: string
  readonly hunks: readonly DiffHunk[]
  /** Differences that a sync leaves alone. */
  readonly folded: number
}

export type DiffHunk = {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** `deploy/app.yaml:31 · kubectl-scale, 3 min ago`: where Git says it, and who made it differ. */
  readonly header: string
  readonly fields: readonly FieldDrift[]
  readonly lines: readonly DiffLine[]
}

export type DiffLine = {
  readonly kind: 'context' | 'add' | 'remove'
  readonly text: string
  /** The drifted field that starts on this line. */
  readonly field?: FieldDrift
}

export type DiffOptions = {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Unchanged lines around a change; 3 by default. */
  readonly context?: number
}

/** Beyond so many changed lines a diff is not the least one, but everything out and everything in. */
const MOST_EDITS = 20_000

type Side = { readonly text: string; readonly lines: ReadonlyMap<string, number> }

/**
 * Holds an object of the cluster against what Git wants of it. The live object decides how a change is shown, so that
 * what the server filled in is no difference; the desired one is for what is missing.
 */
export function objectDiff(
  drift: ObjectDrift,
  objects: { readonly desired?: KubeObject | undefined; readonly live?: KubeObject | undefined },
  options: DiffOptions,
): ObjectDiff {
  const [before, after] = sidesOf(drift, objects)
  return {
    title: fullLabel(drift.id),
    state: drift.state,
    source: drift.origin === undefined ? '' : `${drift.origin.file}:${drift.origin.start.line}`,
    hunks: hunksOf(before, after, options.context ?? 3).map((hunk) =>
      hunkOf(hunk, drift, [before, after], options.now),
    ),
    folded: drift.notes.length,
  }
}

function sidesOf(
  drift: ObjectDrift,
  { desired, live }: { readonly desired?: KubeObject | undefined; readonly live?: KubeObject | undefined },
): readonly [Side, Side] {
  switch (drift.state) {
    case 'missing':
      return [sideOf(undefined), sideOf(desired === undefined ? undefined : shownObject(desired))]
    case 'extra':
      return [sideOf(live === undefined ? undefined : shownObject(live)), sideOf(undefined)]
    case 'changed': {
      if (live === undefined) return [sideOf(undefined), sideOf(undefined)]
      const { before, after } = healedObject(shownObject(live), drift.fields)
      return [sideOf(before), sideOf(after)]
    }
    case 'synced':
    case 'unknown':
      return [sideOf(undefined), sideOf(undefined)]
  }
}

function sideOf(object: JsonObject | undefined): Side {
  if (object === undefined) return { text: '', lines: new Map() }
  const text = toYaml(object)
  return { text, lines: yamlLines(text) }
}

function hunksOf(before: Side, after: Side, context: number): readonly StructuredPatchHunk[] {
  if (before.text === after.text) return []
  const bounded = structuredPatch('', '', before.text, after.text, '', '', { context, maxEditLength: MOST_EDITS })
  if (bounded !== undefined) return bounded.hunks
  const old = linesOf(before.text)
  const fresh = linesOf(after.text)
  const lines = [...old.map((line) => `-${line}`), ...fresh.map((line) => `+${line}`)]
  return [{ oldStart: 1, oldLines: old.length, newStart: 1, newLines: fresh.length, lines }]
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

function hunkOf(hunk: StructuredPatchHunk, drift: ObjectDrift, sides: readonly [Side, Side], now: number): DiffHunk {
  const starts = drift.fields.map((field) => ({
    field,
    old: field.live.kind === 'absent' ? undefined : sides[0].lines.get(field.path),
    fresh: field.live.kind === 'absent' ? sides[1].lines.get(field.path) : undefined,
  }))
  const lines: DiffLine[] = []
  const fields: FieldDrift[] = []
  let old = hunk.oldStart
  let fresh = hunk.newStart
  for (const line of hunk.lines) {
    const sign = line[0]
    if (sign === '\\') continue
    const here = starts.filter((start) => (sign === '+' ? start.fresh === fresh : start.old === old))
    for (const { field } of here) fields.push(field)
    const kind = sign === '+' ? 'add' : sign === '-' ? 'remove' : 'context'
    lines.push({ kind, text: line.slice(1), ...(here[0] === undefined ? {} : { field: here[0].field }) })
    if (kind !== 'add') old += 1
    if (kind !== 'remove') fresh += 1
  }
  const { oldStart, oldLines, newStart, newLines } = hunk
  return { oldStart, oldLines, newStart, newLines, header: headerOf(drift, fields, now), fields, lines }
}

/** Every place and every person once, in the order of the lines. */
function headerOf(drift: ObjectDrift, fields: readonly FieldDrift[], now: number): string {
  const places = fields.flatMap(({ place }) => (place === undefined ? [] : [placeWords(place)]))
  if (places.length === 0 && drift.origin !== undefined) {
    places.push(placeWords({ file: drift.origin.file, ...drift.origin.start }))
  }
  const people = fields.flatMap(({ blame, kind }) =>
    blame === undefined ? [] : [blameWords(blame, kind === 'removed', now)],
  )
  const state = drift.state === 'missing' ? 'Missing' : drift.state === 'extra' ? 'Extra' : ''
  return [[...new Set(places)].join(', '), [...new Set(people)].join(', '), state]
    .filter((part) => part !== '')
    .join(' · ')
}

function placeWords({ file, line }: Place): string {
  return `${file}:${line}`
}
