import { crdSchema } from '../../fields/crd-schema.ts'
import { deducedSchema, fieldType } from '../../fields/schema.ts'
import type { Schema } from '../../fields/schema.ts'
import { builtInCatalogue } from '../../kubernetes/built-in.ts'
import type { Behaviour } from '../endpoints/behaviour.ts'
import type { ScalePaths } from '../endpoints/scale-paths.ts'
import { decodeAs, DecodeError } from '../kinds/codec.ts'
import type { Decoded } from '../kinds/codec.ts'
import { goQuote, invalid } from '../kinds/field-error.ts'
import type { FieldError } from '../kinds/field-error.ts'
import { structNamed } from '../kinds/go-types.ts'
import {
  standardFinalizer,
  validateMetadata,
  validateMetadataChange,
  validateMetadataUpdate,
} from '../kinds/metadata.ts'
import { subdomainName } from '../kinds/names.ts'
import type { KindStrategy } from '../kinds/strategy.ts'
import { isObject, privateCopy, sameJson, valueAt } from '../object.ts'
import type { KubeObject } from '../object.ts'
import { ruleErrors } from './cel-rules.ts'
import { customTable } from './columns.ts'
import type { CustomVersion } from './custom-version.ts'
import { withDefaults } from './default-values.ts'
import { embeddedErrors } from './embedded.ts'
import { listInvariants } from './list-invariants.ts'
import { pruned } from './prune.ts'
import { nothingBefore, validateValue } from './validate.ts'

/** How objects of one version of a custom resource are read, checked, merged and printed. */
export function customBehaviour(version: CustomVersion): Behaviour {
  let schema: Schema | undefined
  return {
    strategy: strategyOf(version),
    get schema() {
      return (schema ??= crdSchema(version.openAPIV3Schema, {
        objectMeta: metadataSchema(),
        preserveUnknownFields: version.schema.preserveUnknown,
      }))
    },
    strategicPatch: false,
    table: customTable(version.printerColumns),
    returnsDeleted: false,
    decode: (raw, options) => decode(raw, version, options?.keepNulls ?? false),
  }
}

/** The type of `metadata`, which every kind shares. */
function metadataSchema(): Schema {
  const name = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
  const known = builtInCatalogue().definition(name)
  if (known !== undefined) return known
  const configMap = builtInCatalogue().schemaFor('', 'v1', 'ConfigMap')
  return (configMap?.map === undefined ? undefined : fieldType(configMap.map, 'metadata')) ?? deducedSchema
}

function decode(raw: KubeObject, { schema }: CustomVersion, keepNulls: boolean): Decoded {
  const unknown: string[] = []
  const kept = pruned(raw, schema, unknown, '', true) as KubeObject
  const filled = withDefaults(kept, schema, keepNulls) as KubeObject
  const object = privateCopy(filled)
  if (!isObject(object.metadata))
    throw new DecodeError('json: cannot unmarshal metadata into Go value of type v1.ObjectMeta')
  const struct = structNamed('meta/v1.ObjectMeta')
  for (const key of Object.keys(object.metadata)) if (!struct.byName.has(key)) unknown.push(`metadata.${key}`)
  object.metadata = decodeAs(struct, object.metadata)
  return { object, strict: unknown.sort().map((path) => `unknown field "${path}"`) }
}

function strategyOf(version: CustomVersion): KindStrategy {
  return {
    prepareForCreate(o) {
      if (version.hasStatus) delete o['status']
      o.metadata.generation = 1
    },
    prepareForUpdate(next, live) {
      if (version.hasStatus) keepField(next, live, 'status')
      next.metadata.generation =
        (live.metadata.generation ?? 1) + (sameJson(content(next, version), content(live, version)) ? 0 : 1)
    },
    prepareForStatusUpdate: keepAllButStatus,
    validateCreate: (o) => [
      ...validateMetadata(o.metadata, subdomainName),
      ...contentErrors(o, version, nothingBefore),
    ],
    validateUpdate: (next, live) => [
      ...validateMetadataUpdate(next, live),
      ...validateMetadataChange(next.metadata, live.metadata),
      ...contentErrors(next, version, live),
    ],
    validateStatus: (next, live) => [...validateMetadataUpdate(next, live), ...contentErrors(next, version, live)],
    resetFields: version.hasStatus
      ? { main: [['status']], status: [['metadata'], ['spec']] }
      : { main: [], status: [] },
    allowUnconditionalUpdate: false,
    allowCreateOnUpdate: false,
    fieldSelectors: version.fieldSelectors,
    warnings: finalizerWarnings,
  }
}

/** Kinds of others may have finalizers without a domain, which is told of once. */
function finalizerWarnings({ metadata }: KubeObject, live: KubeObject | undefined): string[] {
  const known = new Set(live?.metadata.finalizers)
  return (metadata.finalizers ?? [])
    .filter((name) => !known.has(name) && !name.includes('/') && !standardFinalizer.has(name))
    .sort()
    .map(
      (name) =>
        `metadata.finalizers: ${goQuote(name)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    )
}

function keepAllButStatus(next: KubeObject, live: KubeObject): void {
  const { status, metadata } = next
  for (const key of Object.keys(next)) if (!Object.hasOwn(live, key)) delete next[key]
  Object.assign(next, privateCopy(live))
  if (metadata.managedFields === undefined) delete next.metadata.managedFields
  else next.metadata.managedFields = metadata.managedFields
  if (status === undefined) delete next['status']
  else next['status'] = status
}

function keepField(next: KubeObject, live: KubeObject, key: string): void {
  if (Object.hasOwn(live, key)) next[key] = live[key]
  else delete next[key]
}

/** What counts for the generation: everything but metadata, and the status where it has an endpoint of its own. */
function content(o: KubeObject, { hasStatus }: CustomVersion): object {
  const { metadata: _metadata, status, ...rest } = o
  return hasStatus ? rest : { ...rest, status }
}

/** Replicas, wanted and counted, are whole and never negative. */
function scaleErrors(o: KubeObject, { specReplicas, statusReplicas }: ScalePaths): FieldError[] {
  return [specReplicas, statusReplicas].flatMap((path) => {
    const value = valueAt(o, ...path)
    const field = `.${path.join('.')}`
    if (value === undefined) return []
    if (typeof value === 'number' && Number.isInteger(value)) {
      return value < 0 ? [invalid(field, value, 'should be a non-negative integer')] : []
    }
    const detail = `${field} accessor error: ${goValueText(value)} is of the type ${goTypeName(value)}, expected int64`
    return [invalid(field, 0, detail)]
  })
}

function goValueText(value: unknown): string {
  return value === null ? '<nil>' : typeof value === 'string' ? value : JSON.stringify(value)
}

function goTypeName(value: unknown): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  return typeof value === 'boolean' ? 'bool' : typeof value === 'number' ? 'float64' : 'string'
}

const blocking: ReadonlySet<FieldError['type']> = new Set([
  'NotSupported',
  'Required',
  'TooLong',
  'TooMany',
  'TypeInvalid',
])

/** The checks of apiextensions `registry/customresource/strategy.go`, in its order. */
function contentErrors(o: KubeObject, { schema, kind, scale }: CustomVersion, before: unknown): FieldError[] {
  if (o.kind !== kind) return [invalid('kind', o.kind, `must be ${kind}`)]
  const errors: FieldError[] = [...validateValue(o, schema, '', before)]
  if (scale !== undefined) errors.push(...scaleErrors(o, scale))
  errors.push(...embeddedErrors(o, schema))
  errors.push(...listInvariants(o, schema))
  if (!schema.hasRules) return errors
  if (errors.some(({ type }) => blocking.has(type))) return blockedNote(errors)
  return [...errors, ...ruleErrors(o, schema, before)]
}

function blockedNote(errors: readonly FieldError[]): FieldError[] {
  if (!errors.some(({ type }) => blocking.has(type))) return [...errors]
  const detail =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'
  return [...errors, invalid('<nil>', null, detail)]
}
