import { YAMLException, parseEvents } from 'js-yaml'
import type { Event } from 'js-yaml'
import { Lru } from '../../base/lru.ts'
import type { Json } from '../../model/json.ts'
import type { Place, Position } from '../../model/manifest.ts'
import { RenderError, placeText } from '../errors.ts'
import { constructDocuments } from './construct.ts'
import { YamlProblem, expectation } from './problem.ts'
import { splitDocuments } from './split.ts'
import type { Chunk } from './split.ts'

/** One document that has content. */
export type YamlDocument = {
  readonly value: Json
  /** Counts from 0 over the documents of the file that have content. */
  readonly index: number
  /** Where the content starts. */
  readonly start: Position
  /** The part of the file that the document was read from, to find positions in. */
  readonly chunk: Chunk
  /** Which document of the chunk. */
  readonly within: number
}

/** Levels of nesting; deeper than any schema, shallow enough for the stack. */
const maxDepth = 500
/** Characters of text whose documents are remembered. */
const rememberedCharacters = 32 * 1024 * 1024

type KnownDocument = { readonly value: Json; readonly line: number; readonly column: number; readonly within: number }

/** Reads YAML and JSON as kubectl does, and remembers documents by their text, so that an edit parses one of them. */
export class YamlReader {
  private readonly known: Lru<string, readonly KnownDocument[]>

  constructor(capacity: number = rememberedCharacters) {
    this.known = new Lru(capacity)
  }

  /**
   * All documents of a text that have content.
   * @throws RenderError with the place
   */
  read(text: string, file: string): readonly YamlDocument[] {
    const documents: YamlDocument[] = []
    for (const chunk of splitDocuments(text, file.endsWith('.json'))) {
      for (const { value, line, column, within } of this.readChunk(chunk, file)) {
        const start = { line: chunk.line + line, column: column + 1 }
        documents.push({ value, index: documents.length, start, chunk, within })
      }
    }
    return documents
  }

  private readChunk(chunk: Chunk, file: string): readonly KnownDocument[] {
    const known = this.known.get(chunk.text)
    if (known !== undefined) return known
    const fresh = parseChunk(chunk, file)
    this.known.set(chunk.text, fresh, chunk.text.length)
    return fresh
  }
}

function parseChunk(chunk: Chunk, file: string): readonly KnownDocument[] {
  try {
    const documents: KnownDocument[] = []
    for (const [within, { value, start }] of constructDocuments(eventsOf(chunk.text), chunk.text).entries()) {
      if (value === undefined || value === null) continue
      documents.push({ value, within, ...lineColumn(chunk.text, start) })
    }
    return documents
  } catch (error) {
    throw explained(error, chunk, file)
  }
}

/** @throws YamlProblem */
export function eventsOf(text: string): readonly Event[] {
  try {
    return parseEvents(text, { maxDepth })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const offset = error.mark?.position ?? 0
    if (error.reason.startsWith('nesting exceeded')) {
      throw new YamlProblem('too-deep', `nested deeper than ${maxDepth} levels`, offset)
    }
    const culprit = error.reason.includes('multiline key') ? lineBefore(text, offset) : offset
    throw new YamlProblem('broken-yaml', expectation(error.reason), culprit)
  }
}

/** Where the last line with text before an offset's own line starts: a `:` that is missing is noticed a line too late. */
function lineBefore(text: string, offset: number): number {
  const before = text.slice(0, text.lastIndexOf('\n', offset - 1)).trimEnd()
  const line = before.slice(before.lastIndexOf('\n') + 1)
  return before.length - line.trimStart().length
}

function explained(error: unknown, chunk: Chunk, file: string): unknown {
  if (!(error instanceof YamlProblem)) return error
  const place = placeIn(chunk, error.offset, file)
  const message =
    error.earlier === undefined
      ? error.message
      : `the key "${error.message}" is written twice in one map, first at ${placeText(placeIn(chunk, error.earlier, file))}`
  return new RenderError(error.reason, `${placeText(place)}: ${message}`, { place })
}

function placeIn(chunk: Chunk, offset: number, file: string): Place {
  const { line, column } = lineColumn(chunk.text, offset)
  return { file, line: chunk.line + line, column: column + 1 }
}

/** Both count from 0. */
function lineColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 0
  let lineStart = 0
  for (;;) {
    const end = text.indexOf('\n', lineStart)
    if (end < 0 || end >= offset) return { line, column: offset - lineStart }
    line += 1
    lineStart = end + 1
  }
}
