import { isObject, setOwn } from '../object.ts'
import type { JsonObject } from '../object.ts'
import { celDuration } from './cel-library.ts'
import { goDurationMs } from './formats.ts'
import type { Structural } from './structural.ts'

const reserved: ReadonlySet<string> = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'false',
  'for',
  'function',
  'if',
  'import',
  'in',
  'let',
  'loop',
  'namespace',
  'null',
  'package',
  'return',
  'true',
  'var',
  'void',
  'while',
])

/** A property's name as a rule must write it (apiserver `pkg/cel/escaping.go`). */
export function escapedName(name: string): string {
  if (reserved.has(name)) return `__${name}__`
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__')
}

/** JSON data as CEL sees it by its schema: whole numbers as integers, times and durations as such. */
export function celValue(value: unknown, schema: Structural | undefined, isRoot = false): unknown {
  if (typeof value === 'number') return celNumber(value, schema)
  if (typeof value === 'string') return celText(value, schema?.limits.format ?? '')
  if (Array.isArray(value)) return value.map((item) => celValue(item, schema?.items))
  if (!isObject(value)) return value
  const result: JsonObject = {}
  for (const [key, child] of Object.entries(value)) {
    const property = schema?.properties.get(key)
    if (isRoot && key === 'metadata') setOwn(result, key, visibleMetadata(child))
    else if (property !== undefined) {
      if (child !== null || !property.nullable) setOwn(result, escapedName(key), celValue(child, property))
    } else setOwn(result, key, celValue(child, typeof schema?.additional === 'object' ? schema.additional : undefined))
  }
  return result
}

/** Rules may look at an object's name only. */
function visibleMetadata(metadata: unknown): JsonObject {
  const { name, generateName } = isObject(metadata) ? metadata : {}
  return { ...(name === undefined ? {} : { name }), ...(generateName === undefined ? {} : { generateName }) }
}

function celNumber(value: number, schema: Structural | undefined): unknown {
  if (schema?.type === 'number') return value
  return Number.isInteger(value) ? BigInt(value) : value
}

function celText(value: string, format: string): unknown {
  if (format === 'date' || format === 'date-time') {
    const time = new Date(value)
    return Number.isNaN(time.getTime()) ? value : time
  }
  if (format !== 'duration') return value
  const ms = goDurationMs(value)
  return ms === undefined ? value : celDuration(ms)
}
