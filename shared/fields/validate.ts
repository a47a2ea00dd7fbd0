import { goPlain, goSyntax, goType } from './go-format.ts'
import { elementText, fieldElement, indexElement } from './path.ts'
import type { PathElement } from './path.ts'
import { fieldType } from './schema.ts'
import type { ListSchema, MapSchema, ScalarType, Schema } from './schema.ts'
import { itemElement, shapeOf } from './shape.ts'
import { guardDepth, TypedError } from './typed-error.ts'
import type { TypeIssue } from './typed-error.ts'
import { isMap } from './value.ts'

/**
 * Checks that a value fits its type.
 * @throws TypedError with every issue, in the order of the data
 */
export function validateTyped(
  value: unknown,
  schema: Schema,
  options: { readonly allowDuplicates?: boolean } = {},
): void {
  const issues = guardDepth(() => check(schema, value, options.allowDuplicates === true))
  if (issues !== undefined && issues.length > 0) throw new TypedError(issues)
}

type Issues = TypeIssue[] | undefined

function issue(message: string): TypeIssue[] {
  return [{ path: '', message }]
}

function append(issues: Issues, more: Issues): Issues {
  if (more === undefined) return issues
  return issues === undefined ? more : [...issues, ...more]
}

function prefixed(issues: Issues, element: PathElement): Issues {
  if (issues === undefined) return undefined
  const prefix = elementText(element)
  return issues.map((one) => ({ path: prefix + one.path, message: one.message }))
}

function check(schema: Schema, value: unknown, allowDuplicates: boolean): Issues {
  switch (shapeOf(schema, value)) {
    case 'map':
      return checkMap(schema.map, value, allowDuplicates)
    case 'scalar':
      return checkScalar(schema.scalar, value)
    case 'list':
      return checkList(schema.list, value, allowDuplicates)
    default:
      return issue(`schema error: invalid atom: ${schema.name === '' ? 'inlined' : `named type: ${schema.name}`}`)
  }
}

function checkScalar(scalar: ScalarType | undefined, value: unknown): Issues {
  const problem = scalarProblem(scalar, value)
  return problem === undefined ? undefined : issue(problem)
}

/** What is wrong with a scalar, or undefined; null fits every type. */
function scalarProblem(scalar: ScalarType | undefined, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  const type = typeof value
  switch (scalar) {
    case 'numeric':
      return type === 'number' || type === 'bigint'
        ? undefined
        : `expected numeric (int or float), got ${goType(value)}`
    case 'string':
      return type === 'string' ? undefined : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`
    case 'boolean':
      return type === 'boolean' ? undefined : `expected boolean, got &{${goPlain(value)}}`
    default:
      return type === 'object' ? `expected any scalar, got &{${goPlain(value)}}` : undefined
  }
}

function checkList(list: ListSchema | undefined, value: unknown, allowDuplicates: boolean): Issues {
  if (value === null || list === undefined) return undefined
  if (!Array.isArray(value)) return issue(`expected list, got &{${goPlain(value)}}`)
  const seen = list.relationship === 'associative' ? new Set<PathElement>() : undefined
  let issues: Issues
  for (const [i, item] of value.entries()) {
    let element = ''
    if (seen !== undefined) {
      const name = itemElement(list, item)
      if (typeof name !== 'string') return append(issues, issue(`element ${i}: ${name.problem}`))
      if (seen.has(name) && !allowDuplicates) {
        issues = append(issues, issue(`duplicate entries for key ${elementText(name)}`))
      }
      seen.add(name)
      element = name
    }
    const below = check(list.element, item, allowDuplicates)
    if (below !== undefined) issues = append(issues, prefixed(below, element === '' ? indexElement(i) : element))
  }
  return issues
}

function checkMap(map: MapSchema | undefined, value: unknown, allowDuplicates: boolean): Issues {
  if (value === null || map === undefined) return undefined
  if (value === undefined) return issue('expected map, got nil')
  if (!isMap(value)) return issue(`expected map, got &{${goPlain(value)}}`)
  let issues: Issues
  for (const key of Object.keys(value)) {
    const type = fieldType(map, key)
    // A field that is not declared ends the walk through its map, as it does in the server.
    if (type === undefined) return append(issues, prefixed(issue('field not declared in schema'), fieldElement(key)))
    const below = check(type, value[key], allowDuplicates)
    if (below !== undefined) issues = append(issues, prefixed(below, fieldElement(key)))
  }
  return issues
}
