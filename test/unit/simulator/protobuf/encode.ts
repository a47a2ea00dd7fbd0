/** Protobuf by hand, for bodies that no sane client sends. */
export function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}

/** A field of a number. */
export function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)])
}

/** A field of text, bytes or a message, which may be given in parts. */
export function bytes(field: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const value = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return Buffer.concat([varint(field * 8 + 2), varint(value.length), value])
}

/** An entry of a map of texts. */
export function entry(field: number, key: string, value: string): Buffer {
  return bytes(field, bytes(1, key), bytes(2, value))
}

/** A whole body: the magic and the envelope with the object in it. */
export function body(apiVersion: string, kind: string, ...raw: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from('k8s\0'), bytes(1, bytes(1, apiVersion), bytes(2, kind)), bytes(2, ...raw)])
}

/** The metadata of an object: its name, and what else is given. */
export function metadata(name: string, ...rest: readonly Buffer[]): Buffer {
  return bytes(1, bytes(1, name), ...rest)
}
