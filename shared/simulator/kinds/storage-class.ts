import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import { oneOf } from './checks.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, invalid, required, tooLong } from './field-error.ts'
import type { Json } from './json.ts'
import { goContainer, objectsAt, textAt, textMapAt, textsAt } from './json.ts'
import { failing, unchanged } from './metadata.ts'
import { byteLength, qualifiedName } from './names.ts'

const parameterLimits = { count: 512, bytes: 256 * 1024 }

export const storageClass = defineKind({
  metadataOnUpdate: 'late',
  validate: storageClassErrors,
  validateChange: (next, live) =>
    ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((key) =>
      unchanged(key, next[key], live[key], goContainer(next, key)),
    ),
})

function storageClassErrors(o: KubeObject): FieldError[] {
  const provisioner = textAt(o, 'provisioner')
  const mode = o['volumeBindingMode']
  const policy = textAt(o, 'reclaimPolicy')
  return [
    ...(provisioner === ''
      ? [required('provisioner')]
      : failing(qualifiedName, provisioner.toLowerCase(), 'provisioner')),
    ...parameterErrors(textMapAt(o, 'parameters')),
    ...(policy === '' ? [] : oneOf(policy, 'reclaimPolicy', ['Delete', 'Retain'])),
    ...(typeof mode === 'string'
      ? oneOf(mode, 'volumeBindingMode', ['Immediate', 'WaitForFirstConsumer'])
      : [required('volumeBindingMode')]),
    ...topologyErrors(objectsAt(o, 'allowedTopologies')),
  ]
}

function parameterErrors(parameters: Readonly<Record<string, string>>): FieldError[] {
  const entries = Object.entries(parameters)
  if (entries.length > parameterLimits.count) return [tooLong('parameters', parameterLimits.count)]
  const empty = entries
    .filter(([key]) => key === '')
    .map(([key]) => invalid('parameters', key, 'field can not be empty.'))
  const bytes = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0)
  return bytes > parameterLimits.bytes ? [...empty, tooLong('parameters', parameterLimits.bytes)] : empty
}

function topologyErrors(terms: readonly Json[]): FieldError[] {
  const seen: Record<string, string[]>[] = []
  return terms.flatMap((term, t) => {
    const at = `allowedTopologies[${t}].matchLabelExpressions`
    const keys: Record<string, string[]> = {}
    const errors = objectsAt(term, 'matchLabelExpressions').flatMap((expression, i) => {
      const key = textAt(expression, 'key')
      const again = Object.hasOwn(keys, key) ? [duplicate(`${at}[${i}].key`, key)] : []
      keys[key] = [...new Set(textsAt(expression, 'values'))].sort()
      return [...requirementErrors(expression, `${at}[${i}]`), ...again]
    })
    const repeated = seen.some((other) => sameJson(other, keys)) ? [duplicate(at, '')] : []
    seen.push(keys)
    return [...errors, ...repeated]
  })
}

function requirementErrors(expression: Json, at: string): FieldError[] {
  const values = textsAt(expression, 'values')
  return [
    ...(values.length === 0 ? [required(`${at}.values`)] : []),
    ...values.flatMap((value, i) => (values.indexOf(value) === i ? [] : [duplicate(`${at}.values[${i}]`, value)])),
    ...failing(qualifiedName, textAt(expression, 'key'), `${at}.key`),
  ]
}
