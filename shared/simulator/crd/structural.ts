import { RE2JS } from 're2js'
import { isObject } from '../object.ts'
import type { JsonObject } from '../object.ts'

/** One CEL rule of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string
  readonly message: string
  readonly messageExpression: string
  readonly reason: string
  readonly fieldPath: string
  readonly optionalOldSelf: boolean
}

/** A node of a structural schema (apiextensions `pkg/apiserver/schema`), read once from a definition's JSON. */
export interface Structural {
  /** As written; empty where the node leaves it open (int-or-string, unknown content). */
  readonly type: string
  readonly nullable: boolean
  readonly properties: ReadonlyMap<string, Structural>
  /** What other keys hold: a schema, anything (true), or nothing. */
  readonly additional: Structural | boolean
  readonly items: Structural | undefined
  /** Undefined where there is none; JSON null counts as one. */
  readonly default: unknown
  readonly preserveUnknown: boolean
  readonly embeddedResource: boolean
  readonly intOrString: boolean
  readonly listType: string
  readonly listMapKeys: readonly string[]
  readonly rules: readonly ValidationRule[]
  readonly limits: ValueLimits
  /** Whether a default, a rule or a keyed list is anywhere here or below: subtrees without are skipped. */
  readonly hasDefaults: boolean
  readonly hasRules: boolean
  readonly hasKeyedLists: boolean
}

/** The keywords that bound a value. Logical junctors hold such bounds only. */
export interface ValueLimits {
  readonly format: string
  readonly enum: readonly unknown[] | undefined
  readonly maximum: number | undefined
  readonly exclusiveMaximum: boolean
  readonly minimum: number | undefined
  readonly exclusiveMinimum: boolean
  readonly multipleOf: number | undefined
  readonly maxLength: number | undefined
  readonly minLength: number | undefined
  readonly pattern: Pattern | undefined
  readonly maxItems: number | undefined
  readonly minItems: number | undefined
  readonly maxProperties: number | undefined
  readonly minProperties: number | undefined
  readonly required: readonly string[]
  readonly allOf: readonly Structural[]
  readonly anyOf: readonly Structural[]
  readonly oneOf: readonly Structural[]
  readonly not: Structural | undefined
}

export interface Pattern {
  readonly text: string
  /** Undefined where the text is no regular expression of RE2's. */
  readonly compiled: RE2JS | undefined
}

/** Reads a schema of a definition (JSONSchemaProps). */
export function structuralOf(json: unknown): Structural {
  const schema = isObject(json) ? json : {}
  const properties = new Map(
    Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).map(
      ([name, child]) => [name, structuralOf(child)] as const,
    ),
  )
  const given = schema['additionalProperties']
  const additional = typeof given === 'boolean' ? given : isObject(given) ? structuralOf(given) : false
  const items = isObject(schema['items']) ? structuralOf(schema['items']) : undefined
  const rules = list(schema['x-kubernetes-validations']).filter(isObject).map(ruleOf)
  const below = [
    ...properties.values(),
    ...(typeof additional === 'object' ? [additional] : []),
    ...(items ? [items] : []),
  ]
  const listType = text(schema['x-kubernetes-list-type'])
  return {
    type: text(schema['type']),
    nullable: schema['nullable'] === true,
    properties,
    additional,
    items,
    default: schema['default'],
    preserveUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true,
    embeddedResource: schema['x-kubernetes-embedded-resource'] === true,
    intOrString: schema['x-kubernetes-int-or-string'] === true,
    listType,
    listMapKeys: list(schema['x-kubernetes-list-map-keys']).map(text),
    rules,
    limits: limitsOf(schema),
    hasDefaults: below.some((child) => child.default !== undefined || child.hasDefaults),
    hasRules: rules.length > 0 || below.some((child) => child.hasRules),
    hasKeyedLists: listType === 'set' || listType === 'map' || below.some((child) => child.hasKeyedLists),
  }
}

function ruleOf(json: JsonObject): ValidationRule {
  return {
    rule: text(json['rule']),
    message: text(json['message']).trim(),
    messageExpression: text(json['messageExpression']),
    reason: text(json['reason']),
    fieldPath: text(json['fieldPath']),
    optionalOldSelf: json['optionalOldSelf'] === true,
  }
}

function limitsOf(schema: JsonObject): ValueLimits {
  const junctor = (key: string): readonly Structural[] => list(schema[key]).map(structuralOf)
  return {
    format: text(schema['format']),
    enum: Array.isArray(schema['enum']) ? schema['enum'] : undefined,
    maximum: number(schema['maximum']),
    exclusiveMaximum: schema['exclusiveMaximum'] === true,
    minimum: number(schema['minimum']),
    exclusiveMinimum: schema['exclusiveMinimum'] === true,
    multipleOf: number(schema['multipleOf']),
    maxLength: number(schema['maxLength']),
    minLength: number(schema['minLength']),
    pattern: patternOf(text(schema['pattern'])),
    maxItems: number(schema['maxItems']),
    minItems: number(schema['minItems']),
    maxProperties: number(schema['maxProperties']),
    minProperties: number(schema['minProperties']),
    required: list(schema['required']).map(text),
    allOf: junctor('allOf'),
    anyOf: junctor('anyOf'),
    oneOf: junctor('oneOf'),
    not: isObject(schema['not']) ? structuralOf(schema['not']) : undefined,
  }
}

/** Patterns come from repositories, so they run on an engine whose time grows with the text alone. */
function patternOf(source: string): Pattern | undefined {
  if (source === '') return undefined
  try {
    return { text: source, compiled: RE2JS.compile(source) }
  } catch {
    return { text: source, compiled: undefined }
  }
}

/** The schema of a key of an object; undefined where the object has no such key. */
export function childSchema(schema: Structural, key: string): Structural | undefined {
  const own = schema.properties.get(key)
  if (own !== undefined) return own
  return typeof schema.additional === 'object' ? schema.additional : undefined
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
