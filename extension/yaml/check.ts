import { toPointer } from '../../shared/model/pointer.ts'
import { resolved, type Schema } from './schema.ts'

/** One thing that is wrong, at a JSON pointer into the document. */
export type Problem = {
  readonly pointer: string
  readonly kind: 'unknown-field' | 'missing-field' | 'wrong-type' | 'wrong-value'
  readonly message: string
}

type Path = readonly (string | number)[]

/** Everything in a value that its schema does not allow. */
export function problemsIn(value: unknown, schema: Schema, root: Schema, path: Path = []): readonly Problem[] {
  const known = resolved(schema, root)
  const wrong = typeProblem(value, known, path)
  if (wrong !== undefined) return [wrong]
  if (Array.isArray(value)) {
    const { items } = known
    return items === undefined ? [] : value.flatMap((item, index) => problemsIn(item, items, root, [...path, index]))
  }
  if (isMap(value)) return mapProblems(value, known, root, path)
  return valueProblems(value, known, path)
}

function mapProblems(
  value: Readonly<Record<string, unknown>>,
  { properties = {}, additionalProperties: more, required = [] }: Schema,
  root: Schema,
  path: Path,
): readonly Problem[] {
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name): Problem => ({ pointer: toPointer(path), kind: 'missing-field', message: `${name} is missing` }))
  const found = Object.entries(value).flatMap(([name, field]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (schema !== undefined) return problemsIn(field, schema, root, [...path, name])
    if (typeof more === 'object') return problemsIn(field, more, root, [...path, name])
    if (more !== false) return []
    const near = nearest(name, Object.keys(properties))
    const hint = near === undefined ? '' : `; is ${near} meant?`
    const message = `${name} is no field here${hint}`
    return [{ pointer: toPointer([...path, name]), kind: 'unknown-field', message } satisfies Problem]
  })
  return [...missing, ...found]
}

function valueProblems(value: unknown, { enum: values, minimum, maxLength }: Schema, path: Path): readonly Problem[] {
  const problem = (message: string): readonly Problem[] => [{ pointer: toPointer(path), kind: 'wrong-value', message }]
  if (values !== undefined && typeof value === 'string' && !values.includes(value))
    return problem(`${JSON.stringify(value)} is none of ${values.join(', ')}`)
  if (minimum !== undefined && typeof value === 'number' && value < minimum)
    return problem(`it has to be ${minimum} at least`)
  if (maxLength !== undefined && typeof value === 'string' && value.length > maxLength)
    return problem(`it may have ${maxLength} characters`)
  return []
}

function typeProblem(value: unknown, { type }: Schema, path: Path): Problem | undefined {
  // What is not written yet is no mistake.
  if (type === undefined || value === null || value === undefined) return undefined
  const wanted = typeof type === 'string' ? [type] : type
  const is = typeOf(value)
  if (wanted.includes(is)) return undefined
  const message = `a ${is} stands where ${wanted.join(' or ')} is wanted`
  return { pointer: toPointer(path), kind: 'wrong-type', message }
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' && Number.isInteger(value)) return 'integer'
  if (typeof value === 'bigint') return 'integer'
  return typeof value === 'object' ? 'object' : typeof value
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The name that differs in two characters at the most, or in case alone. */
function nearest(name: string, names: readonly string[]): string | undefined {
  const same = names.find((other) => other.toLowerCase() === name.toLowerCase())
  return same ?? names.find((other) => Math.abs(other.length - name.length) <= 2 && distance(name, other) <= 2)
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
