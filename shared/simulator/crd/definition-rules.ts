import { invalid, notSupported, required } from '../kinds/field-error.ts'
import type { FieldError } from '../kinds/field-error.ts'
import { unchanged } from '../kinds/metadata.ts'
import { dns1035Label, dnsSubdomain } from '../kinds/names.ts'
import { isObject, textAt, valueAt } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import { isTrue } from './definition-status.ts'
import { schemaErrors } from './schema-rules.ts'

/** What is wrong with a definition (apiextensions `apis/apiextensions/validation`), the common part of it. */
export function definitionErrors(o: KubeObject): FieldError[] {
  const spec = isObject(o['spec']) ? o['spec'] : {}
  const group = textAt(spec, 'group')
  const plural = textAt(spec, 'names', 'plural')
  const errors: FieldError[] = []
  if (o.metadata.name !== `${plural}.${group}`) {
    errors.push(invalid('metadata.name', o.metadata.name ?? '', 'must be spec.names.plural+"."+spec.group'))
  }
  errors.push(...groupErrors(group), ...scopeErrors(textAt(spec, 'scope')))
  const versions = Array.isArray(spec['versions']) ? spec['versions'].filter(isObject) : []
  errors.push(...versionErrors(versions), ...nameErrors(spec), ...versionPartErrors(versions))
  if (spec['preserveUnknownFields'] === true) {
    const detail =
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead'
    errors.push(invalid('spec.preserveUnknownFields', true, detail))
  }
  if (
    textAt(spec, 'conversion', 'strategy') === 'Webhook' &&
    !isObject(valueAt(spec, 'conversion', 'webhook', 'clientConfig'))
  ) {
    errors.push(required('spec.conversion.webhookClientConfig', 'required when strategy is set to Webhook'))
    errors.push(required('spec.conversion.conversionReviewVersions'))
  }
  return errors
}

/** What may not change: group and plural ever, scope and kind once names are established. */
export function changeErrors(next: KubeObject, live: KubeObject): FieldError[] {
  const fixed = [['group'], ['names', 'plural']]
  if (isTrue(live, 'Established')) fixed.push(['scope'], ['names', 'kind'])
  return fixed.flatMap((path) =>
    unchanged(`spec.${path.join('.')}`, valueAt(next, 'spec', ...path), valueAt(live, 'spec', ...path)),
  )
}

function groupErrors(group: string): FieldError[] {
  if (group === '') return [required('spec.group')]
  const errors = dnsSubdomain(group).map((text) => invalid('spec.group', group, text))
  if (errors.length === 0 && !group.includes('.')) {
    errors.push(invalid('spec.group', group, 'should be a domain with at least one dot'))
  }
  return errors
}

function scopeErrors(scope: string): FieldError[] {
  if (scope === 'Cluster' || scope === 'Namespaced') return []
  if (scope === '') return [required('spec.scope')]
  return [notSupported('spec.scope', scope, ['Cluster', 'Namespaced'])]
}

function versionErrors(versions: readonly JsonObject[]): FieldError[] {
  const errors: FieldError[] = []
  // A schema that all versions share is reported where the internal type keeps it.
  const shared = new Set(versions.map((version) => JSON.stringify(version['schema']))).size <= 1
  for (const [i, version] of versions.entries()) {
    const name = textAt(version, 'name')
    errors.push(...dns1035Label(name).map((text) => invalid(`spec.versions[${i}].name`, name, text)))
    if (i === 0) errors.push(...dns1035Label(name).map((text) => invalid('spec.version', name, text)))
    const schema = valueAt(version, 'schema', 'openAPIV3Schema')
    if (!isObject(schema)) errors.push(required(`spec.versions[${i}].schema.openAPIV3Schema`))
    else if (!shared) errors.push(...schemaErrors(schema, `spec.versions[${i}].schema.openAPIV3Schema`))
  }
  const schema = valueAt(versions[0], 'schema', 'openAPIV3Schema')
  if (shared && isObject(schema)) errors.push(...schemaErrors(schema, 'spec.validation.openAPIV3Schema'))
  const names = versions.map((version) => textAt(version, 'name'))
  const shown = versions.map(internalVersion)
  if (new Set(names).size < names.length)
    errors.push(invalid('spec.versions', shown, 'must contain unique version names'))
  const stored = versions.filter((version) => version['storage'] === true)
  if (stored.length !== 1) {
    errors.push(invalid('spec.versions', shown, 'must have exactly one version marked as storage version'))
    const names = stored.map((version) => textAt(version, 'name'))
    if (stored.length === 0) {
      errors.push(invalid('status.storedVersions', null, 'must have at least one stored version'))
    } else
      errors.push(
        invalid('status.storedVersions', [...new Set(names)], `must have the storage version ${names[0] ?? ''}`),
      )
  }
  return errors
}

/** A version as the server prints its internal struct: without what all versions share. */
function internalVersion(version: JsonObject): JsonObject {
  return {
    Name: version['name'],
    Served: version['served'] === true,
    Storage: version['storage'] === true,
    Deprecated: version['deprecated'] === true,
    DeprecationWarning: version['deprecationWarning'] ?? null,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  }
}

/** Columns and scale paths; what all versions share is reported where the internal type keeps it. */
function versionPartErrors(versions: readonly JsonObject[]): FieldError[] {
  const [first] = versions
  if (first === undefined) return []
  const columns = Array.isArray(first['additionalPrinterColumns']) ? first['additionalPrinterColumns'] : []
  const errors = columns.flatMap((column, i) => columnErrors(column, `spec.additionalPrinterColumns[${i}]`))
  const scale = valueAt(first, 'subresources', 'scale')
  if (!isObject(scale)) return errors
  for (const key of ['specReplicasPath', 'statusReplicasPath']) {
    if (textAt(scale, key) === '') errors.push(required(`spec.subresources.scale.${key}`))
  }
  return errors
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string']

function columnErrors(column: unknown, at: string): FieldError[] {
  const errors: FieldError[] = []
  const type = textAt(column, 'type')
  const path = textAt(column, 'jsonPath')
  if (textAt(column, 'name') === '') errors.push(required(`${at}.name`))
  if (type === '') errors.push(required(`${at}.type`, `must be one of ${columnTypes.join(',')}`))
  else if (!columnTypes.includes(type))
    errors.push(invalid(`${at}.type`, type, `must be one of ${columnTypes.join(',')}`))
  if (path === '') errors.push(required(`${at}.JSONPath`))
  else if (!path.startsWith('.'))
    errors.push(invalid(`${at}.JSONPath`, path, 'must be a simple json path starting with .'))
  return errors
}

function nameErrors(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = []
  const check = (field: string, mixedCase: boolean): void => {
    const value = textAt(spec, 'names', field)
    const at = `spec.names.${field}`
    if (value === '') errors.push(required(at))
    const problems = value === '' ? [] : dns1035Label(mixedCase ? value.toLowerCase() : value)
    const prefix = mixedCase ? 'may have mixed case, but should otherwise match: ' : ''
    errors.push(...problems.map((text) => invalid(at, value, prefix + text)))
  }
  check('plural', false)
  check('singular', false)
  check('kind', true)
  check('listKind', true)
  const { kind, listKind } = isObject(spec['names']) ? spec['names'] : {}
  if (typeof kind === 'string' && kind !== '' && kind === listKind) {
    errors.push(invalid('spec.names.listKind', listKind, 'kind and listKind may not be the same'))
  }
  return errors
}
