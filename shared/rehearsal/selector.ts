import { isArray, isObject, valueAt, type Json } from '../model/json.ts'

/** Whether a `LabelSelector` selects labels; an empty one selects everything. */
export function selects(selector: Json | undefined, labels: Json | undefined): boolean {
  const has = isObject(labels) ? labels : {}
  const wanted = valueAt(selector, ['matchLabels'])
  const equal = isObject(wanted) ? Object.entries(wanted) : []
  const expressions = valueAt(selector, ['matchExpressions'])
  return (
    equal.every(([key, value]) => has[key] === value) &&
    (isArray(expressions) ? expressions : []).every((one) => fits(one, has))
  )
}

function fits(expression: Json, labels: { readonly [key: string]: Json | undefined }): boolean {
  const key = valueAt(expression, ['key'])
  const values = valueAt(expression, ['values'])
  const has = typeof key === 'string' ? labels[key] : undefined
  const listed = has !== undefined && isArray(values) && values.includes(has)
  switch (valueAt(expression, ['operator'])) {
    case 'In':
      return listed
    case 'NotIn':
      return !listed
    case 'Exists':
      return has !== undefined
    case 'DoesNotExist':
      return has === undefined
    default:
      return false
  }
}
