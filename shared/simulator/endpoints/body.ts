import { load, YAMLException } from 'js-yaml'
import { StatusError, badRequest } from '../errors.ts'
import { DecodeError } from '../kinds/codec.ts'
import type { Decoded } from '../kinds/codec.ts'
import { isObject } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import { duplicateKeys } from './duplicate-keys.ts'
import { goSyntaxError } from './go-json.ts'
import { decodeProtobuf } from './protobuf.ts'
import type { FieldValidation, WriteOptions } from './options.ts'
import { apiVersionOf } from './resource-type.ts'
import type { ResourceType } from './resource-type.ts'
import type { ResourceRequest } from './server-context.ts'
import { unknownKind } from './type-names.ts'

/** The deepest nesting that is read; kube-apiserver's decoder stops at 10,000, our stack earlier. */
const maximumDepth = 1_000

/** A request's body as JSON data. */
export interface ParsedBody {
  readonly value: unknown
  /** Empty where the caller sent data instead of text. */
  readonly text: string
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
 * Parses a body by its content type: JSON, or YAML where the client says so.
 *
 * @throws StatusError 415 for other types, 400 for what cannot be read; `kind` is what the text should have been.
 */
export function parseBody({ request }: ResourceRequest, kind: string): ParsedBody {
  const text = bodyText(request.body)
  if (text === undefined) return { value: request.body, text: '' }
  const media = contentType(request.headers)
  if (media === 'application/vnd.kubernetes.protobuf' && request.body instanceof Uint8Array) {
    return { value: decodeProtobuf(request.body), text: '' }
  }
  if (media === 'application/yaml') return { value: parseYaml(text), text: '' }
  if (media !== '' && media !== 'application/json')
    throw unsupportedBody(['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'])
  return { value: parseJson(text, kind), text }
}

export function unsupportedBody(accepted: readonly string[]): StatusError {
  return new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  )
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
  checkDepth(value)
  if (!isObject(value)) {
    const found =
      value === null ? undefined : Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    if (found === undefined) throw unrecognized(text, kind, "Object 'Kind' is missing in 'null'")
    throw unrecognized(
      text,
      kind,
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    )
  }
  return value
}

/**
 * YAML as kubectl would have sent it. Aliases are not expanded beyond the size of the body.
 *
 * @throws StatusError 400
 */
export function parseYaml(text: string): unknown {
  try {
    const value: unknown = text.trimStart().startsWith('{') ? JSON.parse(text) : load(text)
    checkDepth(value)
    return value
  } catch (error) {
    if (StatusError.is(error)) throw error
    const reason = error instanceof YAMLException ? error.reason : goSyntaxError(text)
    throw badRequest(`error decoding YAML: ${reason ?? 'invalid YAML'}`)
  }
}

function unrecognized(text: string, kind: string, problem: string): StatusError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem} (${summary(text)})`)
}

/** The start of a body for an error text: as it is where it looks like an object, else in hexadecimal. */
function summary(text: string): string {
  if (text === '') return '<empty>'
  const bytes = Buffer.from(text)
  const shown = bytes.subarray(0, 30)
  return `${text.startsWith('{') ? shown.toString('utf8') : shown.toString('hex')}${bytes.length > 30 ? ' ...' : ''}`
}

/** Refuses nesting that would exhaust the stack. */
export function checkDepth(value: unknown): void {
  if (depthExceeds(value, maximumDepth)) throw badRequest('exceeded max depth')
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
export function decodeBody(rr: ResourceRequest, type: ResourceType, options: WriteOptions): KubeObject {
  const body = parseBody(rr, type.kind)
  const raw = body.value as JsonObject
  const strict = body.text === '' || options.fieldValidation === 'Ignore' ? [] : duplicateKeys(body.text)
  const kind = typeof raw['kind'] === 'string' && raw['kind'] !== '' ? raw['kind'] : type.kind
  const apiVersion =
    typeof raw['apiVersion'] === 'string' && raw['apiVersion'] !== '' ? raw['apiVersion'] : apiVersionOf(type)
  if (kind !== type.kind || apiVersion !== apiVersionOf(type)) checkKind(type, apiVersion, kind)
  const metadata = isObject(raw['metadata']) ? raw['metadata'] : (raw['metadata'] ?? {})
  const decoded = decodeAs(type, { ...raw, apiVersion, kind, metadata })
  report(rr, type, options.fieldValidation, [...strict, ...decoded.strict])
  type.behaviour.strategy.setDefaults?.(decoded.object)
  return decoded.object
}

/** Decodes, in the server's words where a value does not fit. */
function decodeAs(type: ResourceType, raw: KubeObject): Decoded {
  try {
    return type.behaviour.decode(raw)
  } catch (error) {
    if (DecodeError.is(error)) throw cannotBeHandled(type.kind, type.version, type.kind, error.message)
    throw error
  }
}

export function cannotBeHandled(kind: string, version: string, expected: string, problem: string): StatusError {
  return badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${expected}: ${problem}`)
}

function checkKind(type: ResourceType, apiVersion: string, kind: string): void {
  const expected = apiVersionOf(type)
  if (type.custom) {
    if (kind === type.kind) throw versionMismatch(apiVersion, expected)
    throw badRequest(
      `the object provided is unrecognized (must be of type ${type.kind}): no kind ${JSON.stringify(kind)} is registered`,
    )
  }
  const problem = unknownKind(apiVersion, kind, type)
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
  if (problem !== undefined) throw cannotBeHandled(kind, version, type.kind, problem)
  throw versionMismatch(apiVersion, expected)
}

function versionMismatch(given: string, expected: string): StatusError {
  return badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`)
}

/** Acts on what strict decoding found, as the request's fieldValidation says. */
export function report(rr: ResourceRequest, type: ResourceType, how: FieldValidation, found: readonly string[]): void {
  if (found.length === 0 || how === 'Ignore') return
  if (how === 'Warn') {
    rr.warnings.push(...found)
    return
  }
  throw cannotBeHandled(type.kind, type.version, type.kind, `strict decoding error: ${found.join(', ')}`)
}
