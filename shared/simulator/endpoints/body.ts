import { StatusError, badRequest } from '../errors.ts'
import { DecodeError } from '../kinds/codec.ts'
import type { Decoded } from '../kinds/codec.ts'
import { isObject, splitApiVersion, textAt } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import { decodeProtobuf, ProtobufBodyError, protobufMediaType } from '../protobuf/decode-body.ts'
import { onlyVersionOf } from '../protobuf/message-types.ts'
import { duplicateKeys } from './duplicate-keys.ts'
import { goSyntaxError } from './go-json.ts'
import type { FieldValidation, WriteOptions } from './options.ts'
import { sortedJson } from './patch-texts.ts'
import { apiVersionOf } from './resource-type.ts'
import type { DocumentType, ResourceType } from './resource-type.ts'
import type { ResourceRequest } from './server-context.ts'
import { YamlError, parseYaml } from './yaml.ts'
import { unknownKind } from './type-names.ts'

/** The deepest nesting that is read; kube-apiserver's decoder stops at 10,000, our stack earlier. */
const maximumDepth = 1_000

/** A request's body as JSON data. */
export interface ParsedBody {
  readonly value: unknown
  /** Empty where the caller sent data or YAML instead of JSON text. */
  readonly text: string
  /** What a YAML body said twice. */
  readonly duplicates?: readonly string[]
}

/** The body's media type without parameters, in lower case. */
export function contentType(headers: Readonly<Record<string, string | undefined>> | undefined): string {
  return (headers?.['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

/** Reads text of the body; data from within the process is taken as it is. */
export function bodyText(body: Uint8Array | string | object | undefined): string | undefined {
  if (body === undefined) return ''
  if (typeof body === 'string') return body
  return body instanceof Uint8Array
    ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
    : undefined
}

/**
 * Parses a body by its content type: JSON, or YAML or protobuf where the client says so.
 *
 * @throws StatusError 415 for other types, 400 for what cannot be read; `kind` is what the text should have been.
 */
export function parseBody(rr: ResourceRequest, kind: string): ParsedBody {
  const body = readBody(rr, kind)
  if (kind !== rr.type.kind && kind !== 'DeleteOptions') checkOtherKind(body.value, kind)
  return body
}

function readBody({ request, type }: ResourceRequest, kind: string): ParsedBody {
  const text = bodyText(request.body)
  if (text === undefined) return { value: request.body, text: '' }
  const media = contentType(request.headers)
  if (media === protobufMediaType && request.body instanceof Uint8Array) {
    return { value: parseProtobuf(request.body, type, kind), text: '' }
  }
  if (media === 'application/yaml') return checkedYaml(text, kind)
  if (media !== '' && media !== 'application/json')
    throw unsupportedBody(['application/json', 'application/yaml', protobufMediaType])
  return { value: parseJson(text, kind), text }
}

export function unsupportedBody(accepted: readonly string[]): StatusError {
  return new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  )
}

function parseProtobuf(body: Uint8Array, type: ResourceType, kind: string): unknown {
  // kube-apiserver breaks the connection here: custom resources have no protobuf.
  if (type.custom && kind === type.kind) throw unsupportedBody(['application/json', 'application/yaml'])
  try {
    const value = decodeProtobuf(body, kind === type.kind ? { apiVersion: apiVersionOf(type), kind } : { kind })
    checkDepth(value)
    return value
  } catch (error) {
    if (!ProtobufBodyError.is(error)) throw error
    if (kind === 'DeleteOptions') throw badRequest(error.message)
    if (error.found === undefined) throw unrecognized(body, kind, error.message)
    throw cannotBeHandled(error.found.kind, splitApiVersion(error.found.apiVersion)[1], kind, error.message)
  }
}

/** Refuses what is not of a subresource's kind: a Pod where an Eviction should be. */
function checkOtherKind(value: unknown, kind: string): void {
  const found = textAt(value, 'kind')
  if (found === '' || found === kind) return
  const apiVersion = textAt(value, 'apiVersion')
  const [group, version] = splitApiVersion(onlyVersionOf(kind) ?? '')
  const problem = unknownKind(apiVersion, found, { group, version, kind })
  if (problem !== undefined) throw cannotBeHandled(found, splitApiVersion(apiVersion)[1], kind, problem)
}

function parseJson(text: string, kind: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw unrecognized(
      text,
      kind,
      `couldn't get version/kind; json parse error: ${goSyntaxError(text) ?? 'invalid JSON'}`,
    )
  }
  const deep = depthExceeds(value, maximumDepth)
  if (deep) {
    const problem = `invalid character '${text.trimStart()[0] ?? ''}' exceeded max depth`
    throw unrecognized(text, kind, `couldn't get version/kind; json parse error: ${problem}`)
  }
  if (value === null) return {}
  if (!isObject(value)) {
    throw unrecognized(text, kind, `couldn't get version/kind; json parse error: ${goTypeProblem(value)}`)
  }
  return value
}

/** What Go says of JSON that is no object where it looks for kind and version. */
export function goTypeProblem(value: unknown): string {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  return `json: cannot unmarshal ${found} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`
}

/** A YAML body as an object; nothing counts as an empty one. */
function checkedYaml(text: string, kind: string): ParsedBody {
  try {
    const { value, duplicates } = parseYaml(text)
    if (depthExceeds(value, maximumDepth)) throw new YamlError('yaml: exceeded max depth of 10000')
    const given = value ?? {}
    if (!isObject(given)) throw new YamlError(`couldn't get version/kind; json parse error: ${goTypeProblem(given)}`)
    return { value: given, text: '', duplicates }
  } catch (error) {
    if (YamlError.is(error)) throw unrecognized(text, kind, error.message)
    throw error
  }
}

function unrecognized(body: string | Uint8Array, kind: string, problem: string): StatusError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem} (${summary(body)})`)
}

/** The start of a body for an error text: as it is where it looks like an object, else in hexadecimal. */
function summary(body: string | Uint8Array): string {
  if (body.length === 0) return '<empty>'
  const bytes = Buffer.from(body)
  const shown = bytes.subarray(0, 30)
  return `${bytes[0] === 0x7b ? shown.toString('utf8') : shown.toString('hex')}${bytes.length > 30 ? ' ...' : ''}`
}

/** Refuses nesting that would exhaust the stack. */
export function checkDepth(value: unknown, problem = 'exceeded max depth'): void {
  if (depthExceeds(value, maximumDepth)) throw badRequest(problem)
}

function depthExceeds(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (left === 0) return true
  for (const key in value) if (depthExceeds((value as JsonObject)[key], left - 1)) return true
  return false
}

/**
 * Reads a whole object of the request's type: kind and version filled in or checked, decoded, defaults set, and
 * unknown or double fields refused, warned of or ignored.
 */
export function decodeBody(rr: ResourceRequest, type: DocumentType, options: WriteOptions): KubeObject {
  const body = readBody(rr, type.kind)
  const raw = body.value as JsonObject
  const strict = body.text === '' || options.fieldValidation === 'Ignore' ? [] : duplicateKeys(body.text)
  const sent = bodyText(rr.request.body) ?? ''
  const { apiVersion, kind } = typeOfBody(
    type,
    raw,
    body.text || (sent === '' ? '' : sortedJson(raw)),
    sent,
    options.fieldValidation,
  )
  const metadata = isObject(raw['metadata']) ? raw['metadata'] : (raw['metadata'] ?? {})
  const decoded = decodeAs(type, { ...raw, apiVersion, kind, metadata })
  const duplicates = body.duplicates ?? []
  if (options.fieldValidation === 'Warn') rr.warnings.push(...duplicates)
  else if (duplicates.length > 0) strict.push(`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`)
  report(rr, type, options.fieldValidation, [...strict, ...decoded.strict])
  type.behaviour.strategy.setDefaults?.(decoded.object)
  return decoded.object
}

/** The body's own kind and version; built-in kinds fill in what is left out. `text` is the body as JSON, `sent` as it came. */
function typeOfBody(
  type: DocumentType,
  raw: JsonObject,
  text: string,
  sent: string,
  how: FieldValidation,
): { readonly apiVersion: string; readonly kind: string } {
  const given = { apiVersion: textAt(raw, 'apiVersion'), kind: textAt(raw, 'kind') }
  if (given.apiVersion.split('/').length > 2)
    throw unrecognized(sent, type.kind, `unexpected GroupVersion string: ${given.apiVersion}`)
  const expected = { apiVersion: apiVersionOf(type), kind: type.kind }
  if (type.custom) {
    if (given.kind === '') {
      const missing = `Object 'Kind' is missing in '${text}'`
      throw how === 'Ignore'
        ? cannotBeHandled(type.kind, splitApiVersion(given.apiVersion)[1] || type.version, type.kind, missing)
        : unrecognized(sent, type.kind, missing)
    }
    if (given.apiVersion !== expected.apiVersion) throw versionMismatch(given.apiVersion, expected.apiVersion)
    return given
  }
  const actual = { apiVersion: given.apiVersion || expected.apiVersion, kind: given.kind || expected.kind }
  if (actual.kind !== expected.kind || actual.apiVersion !== expected.apiVersion)
    checkKind(type, actual.apiVersion, actual.kind)
  return actual
}

/** Decodes, in the server's words where a value does not fit. */
function decodeAs(type: DocumentType, raw: KubeObject): Decoded {
  try {
    return type.behaviour.decode(raw)
  } catch (error) {
    if (!DecodeError.is(error)) throw error
    throw cannotBeHandled(raw.kind, splitApiVersion(raw.apiVersion)[1] || type.version, type.kind, error.message)
  }
}

export function cannotBeHandled(kind: string, version: string, expected: string, problem: string): StatusError {
  return badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${expected}: ${problem}`)
}

function checkKind(type: DocumentType, apiVersion: string, kind: string): void {
  const expected = apiVersionOf(type)
  const problem = unknownKind(apiVersion, kind, type)
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
  if (problem !== undefined) throw cannotBeHandled(kind, version, type.kind, problem)
  throw versionMismatch(apiVersion, expected)
}

function versionMismatch(given: string, expected: string): StatusError {
  return badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`)
}

/** Acts on what strict decoding found, as the request's fieldValidation says. */
export function report(rr: ResourceRequest, type: DocumentType, how: FieldValidation, found: readonly string[]): void {
  if (found.length === 0 || how === 'Ignore') return
  if (how === 'Warn') {
    rr.warnings.push(...found)
    return
  }
  throw cannotBeHandled(type.kind, type.version, type.kind, `strict decoding error: ${found.join(', ')}`)
}
