import { goSyntaxError } from '../endpoints/go-json.ts'
import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { forbidden, invalid, required, tooLong } from './field-error.ts'
import { absent, goContainer, objectsAt, textAt, textMapAt } from './json.ts'
import { failing, unchanged } from './metadata.ts'
import { byteLength, configKey } from './names.ts'
import type { KindStrategy } from './strategy.ts'

/** ConfigMap, Secret and ServiceAccount. */

const sizeLimit = 1024 * 1024
const keyErrors = (o: KubeObject, field: string): FieldError[] =>
  Object.keys(textMapAt(o, field)).flatMap((key) => failing(configKey, key, `${field}[${key}]`))

function configMapErrors(o: KubeObject): FieldError[] {
  const binary = textMapAt(o, 'binaryData')
  const errors = Object.keys(textMapAt(o, 'data')).flatMap((key) => [
    ...failing(configKey, key, `data[${key}]`),
    ...(Object.hasOwn(binary, key) ? [invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')] : []),
  ])
  const texts = Object.values(textMapAt(o, 'data')).reduce((sum, text) => sum + byteLength(text), 0)
  const bytes = Object.values(binary).reduce((sum, text) => sum + decodedLength(text), 0)
  return [...errors, ...keyErrors(o, 'binaryData'), ...(texts + bytes > sizeLimit ? [tooLong('[]', sizeLimit)] : [])]
}

function decodedLength(base64: string): number {
  return Buffer.byteLength(base64, 'base64')
}

const immutableText = 'field is immutable when `immutable` is set'

function immutableErrors(next: KubeObject, live: KubeObject, fields: readonly string[]): FieldError[] {
  if (live['immutable'] !== true) return []
  return [
    ...(next['immutable'] === true ? [] : [forbidden('immutable', immutableText)]),
    ...fields
      .filter((key) => !sameJson(containerOf(next, key), containerOf(live, key)))
      .map((key) => forbidden(key, immutableText)),
  ]
}

/** The data of a ConfigMap is never nil to the server: its defaults make a map. */
function containerOf(o: KubeObject, key: string): unknown {
  return goContainer(o, key) ?? (o.kind === 'ConfigMap' && key === 'data' ? {} : null)
}

const configMap = defineKind({
  metadataOnUpdate: 'both',
  changeFirst: true,
  validate: (o) => configMapErrors(o),
  validateChange: (next, live) => immutableErrors(next, live, ['data', 'binaryData']),
})

const redacted = '<secret contents redacted>'

/** Keys that a secret of a built-in type must have, and those that must hold JSON. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
}

function secretErrors(o: KubeObject): FieldError[] {
  const data = textMapAt(o, 'data')
  const type = textAt(o, 'type')
  const size = Object.values(data).reduce((sum, text) => sum + decodedLength(text), 0)
  return [
    ...keyErrors(o, 'data'),
    ...(size > sizeLimit ? [tooLong('data', sizeLimit)] : []),
    ...secretTypeErrors(o, type, data),
  ]
}

function secretTypeErrors(o: KubeObject, type: string, data: Readonly<Record<string, string>>): FieldError[] {
  if (type === 'kubernetes.io/service-account-token') {
    const key = 'kubernetes.io/service-account.name'
    return (o.metadata.annotations?.[key] ?? '') === '' ? [required(`metadata.annotations[${key}]`)] : []
  }
  if (type === 'kubernetes.io/basic-auth') {
    const keys = ['username', 'password']
    return keys.some((key) => Object.hasOwn(data, key)) ? [] : keys.map((key) => required(`data[${key}]`))
  }
  const keys = Object.hasOwn(requiredKeys, type) ? (requiredKeys[type] ?? []) : []
  const ssh = type === 'kubernetes.io/ssh-auth'
  const missing = keys.filter((key) => !Object.hasOwn(data, key) || (ssh && data[key] === ''))
  if (missing.length > 0) return missing.map((key) => required(`data[${key}]`))
  const [key] = keys
  return key !== undefined && key.startsWith('.docker') ? dockerJson(key, data[key] ?? '') : []
}

function dockerJson(key: string, base64: string): FieldError[] {
  const text = Buffer.from(base64, 'base64').toString()
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && !Array.isArray(read)) return []
    const word = Array.isArray(read) ? 'array' : typeof read === 'boolean' ? 'bool' : typeof read
    const problem = `json: cannot unmarshal ${word} into Go value of type map[string]interface {}`
    return [invalid(`data[${key}]`, redacted, problem)]
  } catch {
    return [invalid(`data[${key}]`, redacted, goSyntaxError(text) ?? '')]
  }
}

const secret = defineKind({
  metadataOnUpdate: 'both',
  changeFirst: true,
  prepare: (next, live) => {
    if (textAt(next, 'type') === '' && live) next['type'] = live['type']
  },
  validate: (o) => secretErrors(o),
  validateChange: (next, live) => [
    ...unchanged('type', next['type'], live['type']),
    ...immutableErrors(next, live, ['data']),
  ],
  fieldSelectors: { type: (o) => textAt(o, 'type') },
})

/** Of the secrets it lists, an account keeps the names. */
const serviceAccount = defineKind({
  metadataOnUpdate: 'both',
  prepare: (next) => {
    if (!absent(next, 'secrets')) next['secrets'] = objectsAt(next, 'secrets').map((o) => ({ name: textAt(o, 'name') }))
  },
})

export const configKinds: Readonly<Record<string, KindStrategy>> = {
  configmaps: configMap,
  secrets: secret,
  serviceaccounts: serviceAccount,
}
