import { EVENT_ID, SCALAR_STYLE, getScalarValue } from 'js-yaml'
import type { Event, MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml'
import type { Json } from '../../model/json.ts'
import { keyText, resolvePlain } from './scalar.ts'
import type { Scalar } from './scalar.ts'
import { YamlProblem } from './problem.ts'

/** One YAML document of a text. `start` is the offset of its content, `value` undefined where it has none. */
export type ConstructedDocument = { readonly value: Json | undefined; readonly start: number }

type Anchor = { readonly value: Json; readonly weight: number } | 'open'
type Build = {
  readonly source: string
  readonly events: readonly Event[]
  next: number
  anchors: Map<string, Anchor>
  /** Nodes as they would be with every alias written out, and how many of them came by aliases. */
  nodes: number
  aliased: number
}

const tagPrefix = 'tag:yaml.org,2002:'

/**
 * Values of js-yaml's events as kubectl would have them.
 * @throws YamlProblem
 */
export function constructDocuments(events: readonly Event[], source: string): readonly ConstructedDocument[] {
  const build: Build = { source, events, next: 0, anchors: new Map(), nodes: 0, aliased: 0 }
  const documents: ConstructedDocument[] = []
  while (build.next < events.length) {
    // The document's own event, then its one node, then its end.
    build.next += 1
    build.anchors = new Map()
    build.nodes = 0
    build.aliased = 0
    const root = events[build.next]
    const start = root === undefined ? 0 : offsetOf(root)
    const empty = root?.type === EVENT_ID.SCALAR && root.valueStart < 0 && root.tagStart < 0
    const value = node(build)
    documents.push({ value: empty ? undefined : value, start: empty ? 0 : start })
    build.next += 1
  }
  return documents
}

/** Where a node's text starts; its properties (tag, anchor) come before that. */
export function offsetOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart < 0 ? 0 : quoteStart(event)
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1
  if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) return event.start
  return 0
}

function quoteStart(event: ScalarEvent): number {
  const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED
  return quoted ? event.valueStart - 1 : event.valueStart
}

function node(build: Build): Json {
  const event = build.events[build.next]
  build.next += 1
  if (event === undefined || event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) {
    throw new YamlProblem('broken-yaml', 'a value was expected', 0)
  }
  if (event.type === EVENT_ID.ALIAS) return alias(build, event.anchorStart, event.anchorEnd).value
  build.nodes += 1
  if (event.anchorStart < 0) return content(build, event)
  const name = build.source.slice(event.anchorStart, event.anchorEnd)
  const before = build.nodes - 1
  build.anchors.set(name, 'open')
  const value = content(build, event)
  build.anchors.set(name, { value, weight: build.nodes - before })
  return value
}

function content(build: Build, event: ScalarEvent | SequenceEvent | MappingEvent): Json {
  if (event.type === EVENT_ID.SCALAR) return jsonScalar(build, event)
  return event.type === EVENT_ID.SEQUENCE ? sequence(build) : mapping(build)
}

/** go-yaml's bound on what aliases may blow a document up to (`decode.go`, `allowedAliasRatio`). */
function alias(build: Build, start: number, end: number): Exclude<Anchor, 'open'> {
  const name = build.source.slice(start, end)
  const anchor = build.anchors.get(name)
  if (anchor === undefined)
    throw new YamlProblem('broken-yaml', `the alias *${name} has no anchor &${name} before it`, start - 1)
  if (anchor === 'open')
    throw new YamlProblem('broken-yaml', `the value of the anchor &${name} contains itself`, start - 1)
  build.nodes += 1 + anchor.weight
  build.aliased += anchor.weight
  if (build.aliased > 100 && build.nodes > 1000 && build.aliased / build.nodes > allowedShare(build.nodes)) {
    throw new YamlProblem('alias-bomb', 'aliases multiply this document beyond what kubectl reads', start - 1)
  }
  return anchor
}

function allowedShare(nodes: number): number {
  if (nodes <= 400_000) return 0.99
  if (nodes >= 4_000_000) return 0.1
  return 0.99 - 0.89 * ((nodes - 400_000) / 3_600_000)
}

function sequence(build: Build): Json {
  const items: Json[] = []
  while (build.events[build.next]?.type !== EVENT_ID.POP) items.push(node(build))
  build.next += 1
  return items
}

function mapping(build: Build): Json {
  const object: Record<string, Json> = {}
  const places = new Map<string, number>()
  for (;;) {
    const event = build.events[build.next]
    if (event === undefined || event.type === EVENT_ID.POP) break
    if (event.type === EVENT_ID.SCALAR && isMergeKey(event, build.source)) {
      build.next += 1
      merge(build, object)
      continue
    }
    const offset = offsetOf(event)
    const key = keyOf(build, offset)
    const earlier = places.get(key)
    if (earlier !== undefined) throw new YamlProblem('duplicate-key', key, offset, earlier)
    places.set(key, offset)
    setKey(object, key, node(build))
  }
  build.next += 1
  return object
}

function keyOf(build: Build, offset: number): string {
  const event = build.events[build.next]
  const key = node(build)
  if (typeof key === 'string') return key
  if (typeof key === 'object' && key !== null) throw new YamlProblem('broken-yaml', 'a key must be a scalar', offset)
  const text = keyText(key, event?.type === EVENT_ID.SCALAR ? getScalarValue(build.source, event) : String(key))
  if (text === undefined) throw new YamlProblem('broken-yaml', 'a key was expected, but it is empty or null', offset)
  return text
}

/** A merge happens where it stands: go-yaml v2 lets it replace keys that come before it. */
function merge(build: Build, into: Record<string, Json>): void {
  const event = build.events[build.next]
  const offset = event === undefined ? 0 : offsetOf(event)
  const source = node(build)
  // Of several maps the first has precedence.
  const maps = Array.isArray(source) ? (source as Json[]).toReversed() : [source]
  for (const map of maps) {
    if (typeof map !== 'object' || map === null || Array.isArray(map)) {
      throw new YamlProblem('broken-yaml', 'a merge (<<) takes a map or a list of maps', offset)
    }
    for (const [key, value] of Object.entries(map)) setKey(into, key, value as Json)
  }
}

export function isMergeKey(event: ScalarEvent, source: string): boolean {
  if (event.valueEnd - event.valueStart !== 2 || source.slice(event.valueStart, event.valueEnd) !== '<<') return false
  if (event.tagStart >= 0) return fullTag(source.slice(event.tagStart, event.tagEnd)) === `${tagPrefix}merge`
  return event.style === SCALAR_STYLE.PLAIN
}

function setKey(object: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

function jsonScalar(build: Build, event: ScalarEvent): Json {
  const value = scalarOf(event, build.source)
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw new YamlProblem(
    'broken-yaml',
    'JSON has no infinity and no NaN; quote the value if it is text',
    offsetOf(event),
  )
}

/** What a scalar event means, key or value. @throws YamlProblem */
export function scalarOf(event: ScalarEvent, source: string): Scalar {
  const text = getScalarValue(source, event)
  if (event.tagStart >= 0) return tagged(text, source.slice(event.tagStart, event.tagEnd), offsetOf(event))
  return event.style === SCALAR_STYLE.PLAIN ? resolvePlain(text) : text
}

function tagged(text: string, rawTag: string, offset: number): Scalar {
  const tag = fullTag(rawTag)
  if (tag === `${tagPrefix}binary`) return decodeBinary(text, offset)
  const value = resolvePlain(text)
  const fits = tagChecks.get(tag)
  if (fits === undefined) return text
  if (fits(value)) return value
  throw new YamlProblem('broken-yaml', `\`${text}\` cannot be read as ${rawTag}`, offset)
}

const tagChecks: ReadonlyMap<string, (value: Scalar) => boolean> = new Map([
  [`${tagPrefix}bool`, (value: Scalar) => typeof value === 'boolean'],
  [`${tagPrefix}int`, (value: Scalar) => typeof value === 'bigint' || Number.isInteger(value)],
  [`${tagPrefix}float`, (value: Scalar) => typeof value === 'bigint' || typeof value === 'number'],
  [`${tagPrefix}null`, (value: Scalar) => value === null],
])

function decodeBinary(text: string, offset: number): string {
  const compact = text.replaceAll(/[\r\n]/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact) || compact.length % 4 !== 0) {
    throw new YamlProblem('broken-yaml', 'a !!binary value must be base64', offset)
  }
  return Buffer.from(compact, 'base64').toString('utf8')
}

function fullTag(rawTag: string): string {
  if (rawTag.startsWith('!<')) return rawTag.slice(2, -1)
  return rawTag.startsWith('!!') ? `${tagPrefix}${rawTag.slice(2)}` : rawTag
}
