import { fileMode, relativeUnreservedPath, requireText } from './checks.ts'
import { fieldRef, resourceFieldRef, volumeFields } from './env-rules.ts'
import type { FieldError } from './field-error.ts'
import { forbidden, invalid, required } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, objectsAt, textAt } from './json.ts'
import type { SourceRules } from './volume-sources.ts'

/** A volume of files from a Secret or a ConfigMap, whose name stands in `nameKey`. */
export function keyed(nameKey: string): SourceRules {
  return (o, at) => [
    ...requireText(o, nameKey, at),
    ...fileMode(numberAt(o, 'defaultMode'), `${at}.defaultMode`),
    ...objectsAt(o, 'items').flatMap((item, i) => keyToPath(item, `${at}.items[${i}]`)),
  ]
}

function keyToPath(item: Json, path: string): FieldError[] {
  return [
    ...requireText(item, 'key', path),
    ...requireText(item, 'path', path),
    ...relativeUnreservedPath(textAt(item, 'path'), `${path}.path`),
    ...fileMode(numberAt(item, 'mode'), `${path}.mode`),
  ]
}

export const downward: SourceRules = (o, at) => [
  ...fileMode(numberAt(o, 'defaultMode'), `${at}.defaultMode`),
  ...objectsAt(o, 'items').flatMap((item) => downwardFile(item, at)),
]

function downwardFile(file: Json, at: string): FieldError[] {
  const errors = [...requireText(file, 'path', at), ...relativeUnreservedPath(textAt(file, 'path'), `${at}.path`)]
  const byField = objectAt(file, 'fieldRef')
  const byResource = objectAt(file, 'resourceFieldRef')
  if (byField) {
    errors.push(...fieldRef(byField, volumeFields, `${at}.fieldRef`))
    if (byResource) {
      errors.push(invalid(at, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'))
    }
  } else if (byResource) errors.push(...resourceFieldRef(byResource, `${at}.resourceFieldRef`, true))
  else errors.push(required(at, 'one of fieldRef and resourceFieldRef is required'))
  return [...errors, ...fileMode(numberAt(file, 'mode'), `${at}.mode`)]
}

/** Says of a path whether another source of the same volume has it already, in words with `shown` in them. */
type Claim = (path: string, shown?: string) => FieldError[]
type ProjectionRules = (source: Json, at: string, claim: Claim, volume: string) => FieldError[]

const projections: readonly (readonly [key: string, rules: ProjectionRules])[] = [
  ['secret', projectedKeys],
  ['configMap', projectedKeys],
  ['downwardAPI', projectedFields],
  ['serviceAccountToken', tokenProjection],
]

/**
 * Several sources of files in one volume (`validateProjectionSources`). Trust bundles and pod certificates belong to features
 * that are off: the server drops them unread.
 */
export const projected: SourceRules = (o, at) => {
  const paths = new Set<string>()
  const claim: Claim = (path, shown = path) => {
    if (path !== '' && paths.has(path)) return [invalid(at, shown, 'conflicting duplicate paths')]
    paths.add(path)
    return []
  }
  const list = objectsAt(o, 'sources').flatMap((source, i) => {
    const path = `${at}.sources[${i}]`
    const present = projections.filter(([key]) => !absent(source, key))
    const errors = present.flatMap(([key, rules]) => rules(objectAt(source, key) ?? {}, `${path}.${key}`, claim, at))
    if (present.length < 2) return errors
    return [...errors, forbidden(path, 'may not specify more than 1 volume type per source')]
  })
  return [...fileMode(numberAt(o, 'defaultMode'), `${at}.defaultMode`), ...list]
}

function projectedKeys(o: Json, at: string, claim: Claim): FieldError[] {
  return [
    ...requireText(o, 'name', at),
    ...objectsAt(o, 'items').flatMap((item, i) => [
      ...keyToPath(item, `${at}.items[${i}]`),
      ...claim(textAt(item, 'path'), textAt(o, 'name')),
    ]),
  ]
}

function projectedFields(o: Json, at: string, claim: Claim): FieldError[] {
  return objectsAt(o, 'items').flatMap((item) => [...downwardFile(item, at), ...claim(textAt(item, 'path'))])
}

function tokenProjection(o: Json, at: string, _claim: Claim, volume: string): FieldError[] {
  const seconds = numberAt(o, 'expirationSeconds') ?? 0
  const path = textAt(o, 'path')
  const errors: FieldError[] = []
  if (seconds < 600) {
    errors.push(invalid(`${at}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'))
  }
  if (seconds > 2 ** 32) {
    errors.push(invalid(`${at}.expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds'))
  }
  return [...errors, ...(path === '' ? [required(`${volume}.path`)] : relativeUnreservedPath(path, `${volume}.path`))]
}
