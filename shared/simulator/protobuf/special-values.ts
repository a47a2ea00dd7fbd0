import { ProtobufError } from './wire-reader.ts'

type Scalar = string | number | boolean | undefined

/** Seconds since 1970 of Go's zero time, the start of the year 1. */
const zeroTimeSeconds = -62_135_596_800
/** The furthest that a Date reaches, in seconds since 1970. */
const furthestSeconds = 8_640_000_000_000

/** RFC 3339 with seconds; null for Go's zero time. Fractions are dropped, as in apimachinery `time_proto.go`. */
export function timeText(seconds: Scalar): string | null {
  const whole = Number(seconds ?? 0)
  return whole === zeroTimeSeconds ? null : `${dateText(whole)}Z`
}

/** RFC 3339 with six decimals; null for Go's zero time. */
export function microTimeText(seconds: Scalar, nanoseconds: Scalar): string | null {
  const micros = Math.trunc(Number(nanoseconds ?? 0) / 1_000)
  const carried = Math.floor(micros / 1_000_000)
  const whole = Number(seconds ?? 0) + carried
  const fraction = micros - carried * 1_000_000
  if (whole === zeroTimeSeconds && fraction === 0) return null
  return `${dateText(whole)}.${String(fraction).padStart(6, '0')}Z`
}

function dateText(seconds: number): string {
  if (Math.abs(seconds) > furthestSeconds) throw new ProtobufError('value', `time out of range: ${seconds} seconds`)
  const date = new Date(seconds * 1_000)
  const year = date.getUTCFullYear()
  // Go writes the year with at least four digits, JavaScript with a sign and six where four are not enough.
  return (year < 0 ? '-' : '') + String(Math.abs(year)).padStart(4, '0') + date.toISOString().slice(-20, -5)
}

/** @throws ProtobufError for a type that is neither, as apimachinery `intstr.go` words it */
export function intOrString(type: Scalar, integer: Scalar, text: Scalar): string | number {
  switch (Number(type ?? 0)) {
    case 0:
      return Number(integer ?? 0)
    case 1:
      return String(text ?? '')
    default:
      throw new ProtobufError('value', 'impossible IntOrString.Type')
  }
}

/** The owned fields of a FieldsV1; null where there are none that could be read, which the server forgets, too. */
export function fieldsJson(bytes: Buffer): unknown {
  try {
    return rawJson(bytes)
  } catch (error) {
    if (ProtobufError.is(error)) return null
    throw error
  }
}

/** The data in a RawExtension or JSON; null where there is none. */
export function rawJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return null
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new ProtobufError('value', 'raw data is not valid JSON', { cause })
  }
}
