import type { JsonObject } from '../object.ts'
import { structJson } from './json-value.ts'
import { messageOfKind, messageType, onlyVersionOf } from './message-types.ts'
import { readMessage } from './read-message.ts'
import { ProtobufError } from './wire-reader.ts'

/** The media type of bodies that {@link decodeProtobuf} reads. */
export const protobufMediaType = 'application/vnd.kubernetes.protobuf'

/** What the body should hold: fills in what its envelope leaves out. `apiVersion` may be unknown. */
export interface Expected {
  readonly apiVersion?: string
  readonly kind: string
}

/** A body that cannot be read; `found` is what its envelope said, undefined where that was not readable either. */
export class ProtobufBodyError extends Error {
  readonly found: Required<Expected> | undefined

  constructor(message: string, found: Required<Expected> | undefined, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProtobufBodyError'
    this.found = found
  }

  static is(error: unknown): error is ProtobufBodyError {
    return error instanceof ProtobufBodyError
  }
}

const magic = Buffer.from('k8s\0', 'latin1')

/**
 * Reads a body of `application/vnd.kubernetes.protobuf`: the magic, then a `runtime.Unknown` that names the kind and
 * holds its message (apimachinery `pkg/runtime/serializer/protobuf`). The object is what Go would write as JSON after
 * reading the same bytes. Of a kind that is none of the API's come the names alone.
 *
 * @throws ProtobufBodyError with the server's words
 */
export function decodeProtobuf(body: Uint8Array, expected: Expected): JsonObject {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const { apiVersion, kind, raw } = reading(undefined, () => openEnvelope(bytes, expected))
  const found = { apiVersion, kind }
  const type = messageOfKind(apiVersion, kind)
  if (type === undefined) return found
  return reading(found, () => ({ kind, apiVersion, ...structJson(type, readMessage(type, raw)) }))
}

interface Envelope extends Required<Expected> {
  readonly raw: Buffer
}

function openEnvelope(bytes: Buffer, expected: Expected): Envelope {
  if (bytes.length === 0) throw new ProtobufError('value', 'empty data')
  if (!bytes.subarray(0, magic.length).equals(magic)) {
    const prefix = [...magic].join(' ')
    throw new ProtobufError(
      'value',
      `provided data does not appear to be a protobuf message, expected prefix [${prefix}]`,
    )
  }
  if (bytes.length === magic.length) throw new ProtobufError('value', 'empty body')
  const [meta, raw] = readMessage(messageType('Unknown'), bytes.subarray(magic.length))
  const [apiVersion, kind] = meta?.kind === 'message' ? meta.slots : []
  const kindText = textOf(kind) || expected.kind
  return {
    apiVersion: groupVersion(textOf(apiVersion)) ?? expected.apiVersion ?? onlyVersionOf(kindText) ?? '',
    kind: kindText,
    raw: raw?.kind === 'bytes' ? raw.value : Buffer.alloc(0),
  }
}

function textOf(value: { readonly kind: string; readonly value?: unknown } | undefined): string {
  return typeof value?.value === 'string' ? value.value : ''
}

/** Undefined for what names no version, as apimachinery `schema.FromAPIVersionAndKind` reads it. */
function groupVersion(apiVersion: string): string | undefined {
  const parts = apiVersion.split('/')
  return apiVersion === '' || apiVersion === '/' || parts.length > 2 || parts.at(-1) === '' ? undefined : apiVersion
}

function reading<T>(found: Required<Expected> | undefined, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (ProtobufError.is(error)) throw new ProtobufBodyError(error.message, found, { cause: error })
    throw error
  }
}
