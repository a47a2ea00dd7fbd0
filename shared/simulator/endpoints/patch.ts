import { applyConfiguration } from '../apply/apply-configuration.ts'
import { badRequest, conflict, generic, invalid, notFound, plainError } from '../errors.ts'
import type { StatusError } from '../errors.ts'
import { DecodeError, decodeObject } from '../kinds/codec.ts'
import type { Decoded } from '../kinds/codec.ts'
import { invalid as invalidField } from '../kinds/field-error.ts'
import { isObject, privateCopy, splitApiVersion, textAt } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import { applyJsonPatch } from '../patch/json-patch.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import { applyStrategicMergePatch, useUpStrategicMergePatch } from '../patch/strategic-merge.ts'
import type { ApiResponse } from './api-types.ts'
import { bodyText, checkDepth, contentType, goTypeProblem, unsupportedBody } from './body.ts'
import { checkName } from './create.ts'
import { converts, resets, tracked } from './managed.ts'
import { writeOptions } from './options.ts'
import type { FieldValidation, WriteOptions } from './options.ts'
import { apiVersionOf, groupResource } from './resource-type.ts'
import { readPatch } from './patch-body.ts'
import type { DocumentPatchKind } from './patch-body.ts'
import { conversionText, goMapText, patchedText, touchedByMerge, touchedByOperations } from './patch-texts.ts'
import type { DocumentType } from './resource-type.ts'
import { objectResponse } from './respond.ts'
import type { ResourceRequest, ServerContext } from './server-context.ts'
import { replaceObject, timeOf } from './write.ts'
import { unknownKind } from './type-names.ts'
import type { ReadYaml } from './read-yaml.ts'
import { YamlError, parseYaml } from './yaml.ts'

const mediaTypes = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
  'application/apply-patch+cbor': 'cbor',
} as const

export type PatchKind = 'json' | 'merge' | 'strategic' | 'apply'

/** PATCH of an object, or of its status. */
export function patch(server: ServerContext, rr: ResourceRequest): ApiResponse {
  const kind = patchKind(rr)
  const options = writeOptions(rr, 'PatchOptions', kind === 'apply')
  const { type, target } = rr
  const stored = server.store.get(type.storage, target.namespace, target.name)
  const live = stored === undefined ? undefined : type.fromStorage(stored)
  const mode = { dryRun: options.dryRun, subresource: target.subresource }
  if (kind === 'apply') {
    const next = applied(server, rr, live, options)
    const result = replaceObject(server, rr, live, next, mode, true)
    return objectResponse(server, rr, result.object, result.created ? 201 : 200)
  }
  if (live === undefined) throw notFound(groupResource(type), target.name)
  const object = patchedObject(rr, type, kind, live, options)
  checkName(rr, object)
  const next = tracked(server, type, live, object, options.manager, target.subresource)
  const result = replaceObject(server, rr, live, next, mode)
  return objectResponse(server, rr, result.object)
}

/** @throws StatusError 415 */
export function patchKind({ request, type }: ResourceRequest): PatchKind {
  const media = contentType(request.headers)
  const kind = Object.hasOwn(mediaTypes, media) ? mediaTypes[media as keyof typeof mediaTypes] : undefined
  if (kind === undefined || kind === 'cbor') {
    if (!type.custom) throw generic(415, 'UnsupportedMediaType', '415: Unsupported Media Type')
    throw unsupportedBody(customMediaTypes)
  }
  if (kind === 'strategic' && !type.behaviour.strategicPatch) throw unsupportedBody(customMediaTypes)
  return kind
}

const customMediaTypes = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml']

function applied(
  server: ServerContext,
  rr: ResourceRequest,
  live: KubeObject | undefined,
  options: WriteOptions,
): KubeObject {
  const { type, target } = rr
  const { config, duplicates } = applyBody(rr, type.kind)
  if (live === undefined && target.subresource !== '' && !type.behaviour.strategy.allowCreateOnUpdate) {
    throw notFound(groupResource(type), target.name)
  }
  const merged = applyConfiguration({
    live: live ?? null,
    config,
    schema: type.behaviour.schema,
    manager: options.manager,
    force: options.force,
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    subresource: target.subresource,
    now: timeOf(server),
    ...resets(type, target.subresource),
    ...converts(server.registry, type),
  })
  const [namespace, name] = [textAt(config, 'metadata', 'namespace'), textAt(config, 'metadata', 'name')]
  const kind = `${type.group}/${type.version}, Kind=${type.kind}`
  const read = (raw: KubeObject): Decoded => type.behaviour.decode(raw, { keepNulls: true })
  // Pruning may have left it in the version that was applied before.
  const whole = { ...merged, apiVersion: apiVersionOf(type), kind: type.kind }
  const object = decoded(type, read, whole, (error) =>
    plainError(
      `failed to convert new object (${namespace}/${name}; ${kind}) to proper version: unable to convert unstructured object to ${kind}: ${conversionText(error)}`,
    ),
  )
  reportDuplicates(rr, duplicates, options.fieldValidation)
  const { uid = '' } = object.metadata
  if (live === undefined && uid !== '') {
    const problem = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
    throw conflict(groupResource(type), target.name, problem)
  }
  checkName(rr, object)
  return object
}

/**
 * The body of an apply: YAML or JSON, an object of the expected kind.
 *
 * @throws StatusError 400
 */
export function applyBody(
  rr: ResourceRequest,
  expected: string,
): { readonly config: KubeObject; readonly duplicates: readonly string[] } {
  const text = bodyText(rr.request.body)
  const { value: given, duplicates } = text === undefined ? { value: rr.request.body, duplicates: [] } : applyYaml(text)
  const value = given ?? {}
  if (!isObject(value)) {
    const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
    )
  }
  const apiVersion = textAt(value, 'apiVersion')
  const kind = textAt(value, 'kind')
  if (kind !== expected || apiVersion === '' || apiVersion.split('/').length > 2) {
    const readable = apiVersion.split('/').length <= 2
    const [group, version] = readable ? splitApiVersion(apiVersion) : ['', '']
    throw badRequest(`invalid object type: ${group}/${version}, Kind=${readable ? kind : ''}`)
  }
  // It may lack metadata, or have something else in its place: the check of types tells.
  return { config: value as unknown as KubeObject, duplicates }
}

/** Keys that stand twice count only once the apply is done. */
export function reportDuplicates(rr: ResourceRequest, duplicates: readonly string[], how: FieldValidation): void {
  if (duplicates.length === 0 || how === 'Ignore') return
  const found = `yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`
  if (how === 'Strict') throw badRequest(`error strict decoding YAML: ${yamlToJson}${found}`)
  rr.warnings.push(...duplicates)
}

const yamlToJson = 'error converting YAML to JSON: '

function applyYaml(text: string): ReadYaml {
  try {
    const read = parseYaml(text)
    checkDepth(read.value, `error decoding YAML: ${yamlToJson}yaml: exceeded max depth of 10000`)
    return read
  } catch (error) {
    if (YamlError.is(error)) throw badRequest(`error decoding YAML: ${yamlToJson}${error.message}`)
    throw error
  }
}

/**
 * The live object, which is of the given type, after a patch that is not an apply; with defaults.
 *
 * @throws StatusError 400 and 422
 */
export function patchedObject(
  rr: ResourceRequest,
  type: DocumentType,
  kind: DocumentPatchKind,
  live: KubeObject,
  options: WriteOptions,
): KubeObject {
  const { value: body, strict } = readPatch(rr, kind, options.fieldValidation)
  const validated = options.fieldValidation !== 'Ignore'
  const own = kind === 'strategic' && isObject(body) ? privateCopy(body) : undefined
  const result =
    own === undefined
      ? patchDocument(type, kind, body, live, validated)
      : useUpStrategicMergePatch(live, own, type.behaviour.schema)
  const quoted = (): string =>
    kind === 'strategic' ? goMapText(own ?? body) : quotedDocument(type, kind, body, live, validated)
  const refuse = (problem: string): StatusError =>
    invalid({ group: '', name: '' }, '', [invalidField('patch', quoted(), problem)])
  if (type.custom && isObject(result) && textAt(result, 'kind') === '')
    throw refuse(`Object 'Kind' is missing in '${quoted()}'`)
  const raw = documentOf(type, result, (problem) => refuse(problem))
  // What a strategic patch says of the kind is of no effect.
  if (kind === 'strategic') Object.assign(raw, { apiVersion: apiVersionOf(type), kind: type.kind })
  const changed = kindChange(type, raw)
  if (changed !== undefined) throw refuse(changed)
  const unfit = (error: DecodeError): StatusError =>
    refuse(kind === 'strategic' ? conversionText(error) : firstProblem(type, quoted(), error))
  const found = [...strict]
  const object = decoded(type, (given) => type.behaviour.decode(given), raw, unfit, found)
  if (found.length > 0 && options.fieldValidation === 'Strict') {
    throw refuse(`strict decoding error: ${found.join(', ')}`)
  }
  if (options.fieldValidation === 'Warn') rr.warnings.push(...found)
  if (type.custom && raw.kind === type.kind && raw.apiVersion !== apiVersionOf(type)) throw otherVersion(type, raw)
  return object
}

/** The server reads the document as it quotes it: which of several problems comes first depends on that order. */
function firstProblem(type: DocumentType, quoted: string, found: DecodeError): string {
  try {
    type.behaviour.decode(JSON.parse(quoted) as KubeObject)
  } catch (error) {
    if (DecodeError.is(error)) return error.message
    throw error
  }
  return found.message
}

function otherVersion(type: DocumentType, { apiVersion, kind, metadata }: KubeObject): StatusError {
  const group = splitApiVersion(apiVersion)[0]
  const problem = invalidField('apiVersion', apiVersion, `must be ${apiVersionOf(type)}`)
  return invalid({ group, name: kind }, metadata.name ?? '', [problem])
}

/** The patched document in the server's words: built-in kinds are encoded in the order of their declaration, others by key. */
function quotedDocument(
  { behaviour, custom }: DocumentType,
  kind: 'json' | 'merge',
  body: unknown,
  live: KubeObject,
  validated: boolean,
): string {
  const document = custom ? live : decodeObject(live).object
  const touched = custom ? 'all' : kind === 'merge' ? touchedByMerge(document, body) : touchedByOperations(body)
  return patchedText(patchDocument({ behaviour }, kind, body, document, validated), touched)
}

/** Why a patch may not leave an object with another kind or version; undefined where it has not, or validation tells. */
function kindChange(type: DocumentType, { apiVersion, kind }: KubeObject): string | undefined {
  if (apiVersion === apiVersionOf(type) && kind === type.kind) return undefined
  if (apiVersion.split('/').length > 2) return `unexpected GroupVersion string: ${apiVersion}`
  if (type.custom) return undefined
  return (
    unknownKind(apiVersion, kind, type) ??
    `the API version in the data (${apiVersion}) does not match the expected API version (${apiVersionOf(type)})`
  )
}

/** A patched document as an object: built-in kinds fill in what the patch took away. */
function documentOf(type: DocumentType, patched: unknown, refuse: (problem: string) => StatusError): KubeObject {
  if (!isObject(patched)) {
    throw refuse(`couldn't get version/kind; json parse error: ${goTypeProblem(patched)}`)
  }
  const metadata = patched['metadata'] ?? {}
  const apiVersion = textAt(patched, 'apiVersion') || apiVersionOf(type)
  return { ...patched, apiVersion, kind: textAt(patched, 'kind') || type.kind, metadata }
}

/** The patched document, which may share parts with the live one. */
function patchDocument(
  { behaviour }: Pick<DocumentType, 'behaviour'>,
  kind: DocumentPatchKind,
  body: unknown,
  live: JsonObject,
  validated: boolean,
): unknown {
  switch (kind) {
    case 'json':
      return applyJsonPatch(live, body, validated)
    case 'merge':
      return applyMergePatch(live, body, validated)
    case 'strategic':
      return applyStrategicMergePatch(live, body, behaviour.schema)
  }
}

function decoded(
  type: DocumentType,
  read: (raw: KubeObject) => Decoded,
  raw: KubeObject,
  refuse: (error: DecodeError) => StatusError,
  strict: string[] = [],
): KubeObject {
  try {
    const result = read(raw)
    strict.push(...result.strict)
    type.behaviour.strategy.setDefaults?.(result.object)
    return result.object
  } catch (error) {
    if (DecodeError.is(error)) throw refuse(error)
    throw error
  }
}
