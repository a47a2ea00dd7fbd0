import { required } from '../kinds/field-error.ts'
import type { FieldError } from '../kinds/field-error.ts'
import { isObject } from '../object.ts'
import type { Structural } from './structural.ts'
import { childSchema } from './structural.ts'

/** Embedded resources must say what they are (apiextensions `pkg/apiserver/schema/objectmeta/validation.go`). */
export function embeddedErrors(value: unknown, schema: Structural, path = ''): FieldError[] {
  if (Array.isArray(value)) {
    const { items } = schema
    return items === undefined ? [] : value.flatMap((item, i) => embeddedErrors(item, items, `${path}[${i}]`))
  }
  if (!isObject(value)) return []
  const own: FieldError[] = []
  if (schema.embeddedResource) {
    for (const key of ['apiVersion', 'kind']) if (!isText(value[key])) own.push(required(`${path}.${key}`))
  }
  const inner = Object.entries(value).flatMap(([key, child]) => {
    const known = childSchema(schema, key)
    return known === undefined ? [] : embeddedErrors(child, known, path === '' ? key : `${path}.${key}`)
  })
  return [...own, ...inner]
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
