import { EVENT_ID, getScalarValue } from 'js-yaml'
import type { Event, ScalarEvent } from 'js-yaml'
import { Lru } from '../../base/lru.ts'
import { TextPositions } from '../../base/text-positions.ts'
import type { Position } from '../../model/manifest.ts'
import type { Path } from '../../model/pointer.ts'
import { isMergeKey, offsetOf, scalarOf } from './construct.ts'
import { eventsOf } from './read.ts'
import { keyText } from './scalar.ts'
import type { Chunk } from './split.ts'

/** A node of a text with the offset of its first character. */
type PlacedNode = { readonly offset: number; readonly children: Children }
type Children =
  | { readonly kind: 'scalar' }
  | { readonly kind: 'list'; readonly items: readonly PlacedNode[] }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, PlacedEntry> }
type PlacedEntry = { readonly key: number; readonly value: PlacedNode }

type PlacedText = { readonly documents: readonly PlacedNode[]; readonly positions: TextPositions }

/** Characters of text whose positions are kept. */
const keptCharacters = 4 * 1024 * 1024

/** Finds where paths stand in texts. Parses a text when it is first asked about, and keeps what was asked last. */
export class PathPositions {
  private readonly placed: Lru<string, PlacedText>

  constructor(capacity: number = keptCharacters) {
    this.placed = new Lru(capacity)
  }

  /**
   * The key of a path's last step, or the item where that step is an index. Where the text has no such path, the
   * nearest ancestor that it has; what an alias or a merge brings in stands at its anchor.
   *
   * @param within which document of the chunk
   * @returns the place, and how many steps of the path it stands for
   */
  find(chunk: Chunk, within: number, path: Path): { readonly position: Position; readonly depth: number } | undefined {
    const { documents, positions } = this.place(chunk)
    let node = documents[within]
    if (node === undefined) return undefined
    let offset = Math.max(node.offset, 0)
    let depth = 0
    for (const step of path) {
      const next = stepInto(node, step)
      if (next === undefined) break
      // An empty list item has no text of its own.
      if (next.key >= 0) offset = next.key
      node = next.value
      depth += 1
    }
    const { line, column } = positions.positionAt(offset)
    return { position: { line: chunk.line + line - 1, column }, depth }
  }

  private place(chunk: Chunk): PlacedText {
    const known = this.placed.get(chunk.text)
    if (known !== undefined) return known
    const fresh = { documents: placeDocuments(chunk.text), positions: new TextPositions(chunk.text) }
    this.placed.set(chunk.text, fresh, chunk.text.length)
    return fresh
  }
}

function stepInto(node: PlacedNode, step: string | number): PlacedEntry | undefined {
  const { children } = node
  if (children.kind === 'map') return children.entries.get(String(step))
  if (children.kind !== 'list') return undefined
  const item = children.items[Number(step)]
  return item === undefined ? undefined : { key: item.offset, value: item }
}

type Walk = {
  readonly source: string
  readonly events: readonly Event[]
  next: number
  anchors: Map<string, PlacedNode>
}

function placeDocuments(source: string): readonly PlacedNode[] {
  const walk: Walk = { source, events: eventsOf(source), next: 0, anchors: new Map() }
  const documents: PlacedNode[] = []
  while (walk.next < walk.events.length) {
    walk.next += 1
    walk.anchors = new Map()
    documents.push(placeNode(walk))
    walk.next += 1
  }
  return documents
}

function placeNode(walk: Walk): PlacedNode {
  const event = walk.events[walk.next]
  walk.next += 1
  if (event === undefined) return { offset: 0, children: { kind: 'scalar' } }
  const offset = event.type === EVENT_ID.SCALAR && event.valueStart < 0 ? -1 : offsetOf(event)
  if (event.type === EVENT_ID.ALIAS) {
    const anchor = walk.anchors.get(walk.source.slice(event.anchorStart, event.anchorEnd))
    return { offset, children: anchor?.children ?? { kind: 'scalar' } }
  }
  const placed = { offset, children: placeChildren(walk, event) }
  if ('anchorStart' in event && event.anchorStart >= 0) {
    walk.anchors.set(walk.source.slice(event.anchorStart, event.anchorEnd), placed)
  }
  return placed
}

function placeChildren(walk: Walk, event: Event): Children {
  if (event.type === EVENT_ID.MAPPING) return placeMap(walk)
  if (event.type !== EVENT_ID.SEQUENCE) return { kind: 'scalar' }
  const items: PlacedNode[] = []
  while (hasMore(walk)) items.push(placeNode(walk))
  walk.next += 1
  return { kind: 'list', items }
}

function placeMap(walk: Walk): Children {
  const entries = new Map<string, PlacedEntry>()
  while (hasMore(walk)) {
    const event = walk.events[walk.next]
    if (event?.type === EVENT_ID.SCALAR && isMergeKey(event, walk.source)) {
      walk.next += 1
      mergeInto(entries, placeNode(walk))
      continue
    }
    const name = event?.type === EVENT_ID.SCALAR ? keyOf(event, walk.source) : undefined
    const key = placeNode(walk).offset
    const value = placeNode(walk)
    if (name !== undefined) entries.set(name, { key, value })
  }
  walk.next += 1
  return { kind: 'map', entries }
}

function keyOf(event: ScalarEvent, source: string): string | undefined {
  const key = scalarOf(event, source)
  return typeof key === 'string' ? key : keyText(key, getScalarValue(source, event))
}

function mergeInto(entries: Map<string, PlacedEntry>, source: PlacedNode): void {
  const { children } = source
  if (children.kind === 'map') for (const [name, entry] of children.entries) entries.set(name, entry)
  else if (children.kind === 'list') for (const item of children.items.toReversed()) mergeInto(entries, item)
}

function hasMore(walk: Walk): boolean {
  const event = walk.events[walk.next]
  return event !== undefined && event.type !== EVENT_ID.POP
}
