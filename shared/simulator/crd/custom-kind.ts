import { crdSchema } from '../../fields/crd-schema.ts'
import { deducedSchema, fieldType } from '../../fields/schema.ts'
import type { Schema } from '../../fields/schema.ts'
import { builtInCatalogue } from '../../kubernetes/built-in.ts'
import type { Behaviour } from '../endpoints/behaviour.ts'
import type { ScalePaths } from '../endpoints/scale-paths.ts'
import { decodeAs } from '../kinds/codec.ts'
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
import { isObject, privateCopy, sameJson } from '../object.ts'
import type { KubeObject } from '../object.ts'
import { ruleErrors } from './cel-rules.ts'
import { customTable } from './columns.ts'
import type { CustomVersion } from './custom-version.ts'
import { withDefaults } from './default-values.ts'
import { embeddedErrors, withEmbeddedMetadata } from './embedded.ts'
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
  const struct = structNamed('meta/v1.ObjectMeta')
  // A copy: that a list was empty is not known of metadata that went through Go's generic data.
  const metadata = { ...decodeAs(struct, raw.metadata) } as KubeObject['metadata']
  const strange = Object.keys(raw.metadata ?? {}).filter((key) => !struct.byName.has(key))
  const dropped: string[] = []
  const kept = pruned(raw, schema, dropped, '', true)
  const unread: string[] = []
  const read = withEmbeddedMetadata(kept, schema, unread)
  const object = privateCopy(withDefaults(read, schema, keepNulls) as KubeObject)
  object.metadata = metadata
  const unknown = [strange.map((key) => `metadata.${key}`), dropped, unread].flatMap((paths) => paths.sort())
  return { object, strict: unknown.map((path) => `unknown field "${path}"`) }
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
    validateCreate: (o) => contentErrors(o, version, nothingBefore, validateMetadata(o.metadata, subdomainName)),
    validateUpdate: (next, live) => [
      ...validateMetadataUpdate(next, live),
      ...contentErrors(next, version, live, validateMetadataChange(next.metadata, live.metadata)),
    ],
    validateStatus: (next, live) => [...validateMetadataUpdate(next, live), ...contentErrors(next, version, live, [])],
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
    const field = `.${path.join('.')}`
    let value: unknown = o
    for (const [depth, key] of path.entries()) {
      if (value === null) return []
      if (!isObject(value)) return [unreadable(field, path.slice(0, depth + 1), value, 'map[string]interface{}')]
      if (!Object.hasOwn(value, key)) return []
      value = value[key]
    }
    if (typeof value === 'number' && Number.isInteger(value)) {
      return value < 0 ? [invalid(field, value, 'should be a non-negative integer')] : []
    }
    return [unreadable(field, path, value, 'int64')]
  })
}

function unreadable(field: string, path: readonly string[], value: unknown, wanted: string): FieldError {
  const problem = `${goValueText(value)} is of the type ${goTypeName(value)}, expected ${wanted}`
  return invalid(field, 0, `.${path.join('.')} accessor error: ${problem}`)
}

function goValueText(value: unknown): string {
  return value === null ? '<nil>' : typeof value === 'string' ? value : JSON.stringify(value)
}

function goTypeName(value: unknown): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64'
  return typeof value === 'boolean' ? 'bool' : 'string'
}

const blocking: ReadonlySet<FieldError['type']> = new Set([
  'NotSupported',
  'Required',
  'TooLong',
  'TooMany',
  'TypeInvalid',
])

/** The checks of apiextensions `registry/customresource/strategy.go`, in its order, after those of the metadata. */
function contentErrors(
  o: KubeObject,
  { schema, kind, scale }: CustomVersion,
  before: unknown,
  ofMetadata: readonly FieldError[],
): FieldError[] {
  const errors: FieldError[] = []
  if (o.kind === kind) {
    errors.push(...ofMetadata, ...validateValue(o, schema, '', before))
    if (scale !== undefined) errors.push(...scaleErrors(o, scale))
  } else {
    errors.push(invalid('kind', o.kind, `must be ${kind}`))
  }
  errors.push(...embeddedErrors(o, schema))
  // What was wrong with its lists before may stay.
  if (before === nothingBefore || listInvariants(before, schema).length === 0) errors.push(...listInvariants(o, schema))
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
