import {
  EVENT_ALIAS,
  EVENT_DOCUMENT,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  EVENT_SEQUENCE,
  constructFromEvents,
  getScalarValue,
  parseEvents,
} from 'js-yaml'
import type { Event, Schema, YAMLException } from 'js-yaml'

/** The first document of a text, and which keys it names twice: `line 3: key "kind" already set in map`. */
export interface ReadYaml {
  readonly value: unknown
  readonly duplicates: readonly string[]
}

/** A document of more aliases than this is refused before it is expanded. */
const maximumAliases = 100

/**
 * Reads the first YAML document of a text; the last of several equal keys counts.
 *
 * @throws YAMLException
 */
export function readYaml(text: string, schema: Schema, maxDepth: number): ReadYaml {
  const events = firstDocument(parseEvents(text, { maxDepth }))
  if (events.length === 0) return { value: null, duplicates: [] }
  const [value = null] = constructFromEvents(events, { source: text, schema, json: true, maxAliases: maximumAliases })
  return { value, duplicates: duplicatesOf(events, text) }
}

function firstDocument(events: readonly Event[]): Event[] {
  let depth = 0
  for (const [index, { type }] of events.entries()) {
    if (type === EVENT_POP && --depth === 0) return events.slice(0, index + 1)
    if (type === EVENT_DOCUMENT || type === EVENT_MAPPING || type === EVENT_SEQUENCE) depth++
  }
  return [...events]
}

interface Level {
  /** The keys so far; undefined in what is no mapping. */
  readonly keys: Set<string> | undefined
  isKey: boolean
}

function duplicatesOf(events: readonly Event[], text: string): string[] {
  const found: string[] = []
  const levels: Level[] = []
  for (const event of events) {
    const level = levels.at(-1)
    if (event.type === EVENT_POP) {
      levels.pop()
      continue
    }
    if (event.type === EVENT_SCALAR && level?.keys !== undefined && level.isKey) {
      const key = getScalarValue(text, event)
      if (level.keys.has(key))
        found.push(`line ${lineAt(text, event.valueStart)}: key ${JSON.stringify(key)} already set in map`)
      level.keys.add(key)
    }
    if (level !== undefined) level.isKey = !level.isKey
    if (event.type === EVENT_MAPPING) levels.push({ keys: new Set(), isKey: true })
    else if (event.type !== EVENT_SCALAR && event.type !== EVENT_ALIAS) levels.push({ keys: undefined, isKey: false })
  }
  return found
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** What goyaml says where js-yaml has words of its own. */
const goReasons: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^bad indentation of a mapping entry/u, 'mapping values are not allowed in this context'],
  [/^missed comma between flow collection entries/u, 'did not find expected node content'],
  [/^unexpected end of the stream within a (?:double|single) quoted scalar/u, 'found unexpected end of stream'],
  [/^(?:tab characters|end of the stream or a document)/u, 'found character that cannot start any token'],
  [/^directives end mark is expected/u, 'found unknown directive name'],
]

/** A reader's complaint as sigs.k8s.io/yaml words it, as far as its words are known. */
export function yamlProblem({ reason, mark }: YAMLException, text: string): string {
  const goReason = goReasons.find(([pattern]) => pattern.test(reason))?.[1] ?? reason
  // goyaml counts its parser's lines from zero, its scanner's from one.
  const shown = (mark?.line ?? 0) + (goReason.startsWith('did not find') ? 0 : 1)
  const line = mark === undefined || mark.line === 0 ? '' : `line ${shown}: `
  const alias = /^unidentified alias "(.*)"$/u.exec(reason)?.[1]
  if (alias !== undefined) return `yaml: unknown anchor '${alias}' referenced`
  if (reason.startsWith('unexpected end of the stream within a flow collection')) {
    const close = text.lastIndexOf('[') > text.lastIndexOf('{') ? ']' : '}'
    const wanted = /[[{,:]\s*$/u.test(text) ? 'node content' : `',' or '${close}'`
    return `yaml: line ${text.trimEnd().split('\n').length}: did not find expected ${wanted}`
  }
  return `yaml: ${line}${goReason}`
}
