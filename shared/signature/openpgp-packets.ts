/** One OpenPGP packet's frame (RFC 9580 section 4.2). */
export type Packet = { readonly tag: number; readonly start: number; readonly body: Buffer; readonly end: number }

export const packetTag = { signature: 2, publicKey: 6, secretKey: 5 } as const

/** All packets of a blob; undefined where a frame is broken, of indefinite or of partial length. */
export function readPackets(data: Buffer): readonly Packet[] | undefined {
  const packets: Packet[] = []
  let at = 0
  while (at < data.length) {
    const packet = readPacket(data, at)
    if (packet === undefined) return undefined
    packets.push(packet)
    at = packet.end
  }
  return packets
}

function readPacket(data: Buffer, start: number): Packet | undefined {
  const first = data[start]
  if (first === undefined || (first & 0x80) === 0) return undefined
  const frame = (first & 0x40) === 0 ? oldFrame(data, start, first) : newFrame(data, start, first)
  if (frame === undefined) return undefined
  const end = frame.bodyAt + frame.length
  if (end > data.length) return undefined
  return { tag: frame.tag, start, body: data.subarray(frame.bodyAt, end), end }
}

type Frame = { readonly tag: number; readonly bodyAt: number; readonly length: number }

function oldFrame(data: Buffer, start: number, first: number): Frame | undefined {
  const size = [1, 2, 4][first & 0x03]
  if (size === undefined || start + 1 + size > data.length) return undefined
  return { tag: (first >> 2) & 0x0f, bodyAt: start + 1 + size, length: data.readUIntBE(start + 1, size) }
}

function newFrame(data: Buffer, start: number, first: number): Frame | undefined {
  const length = readLength(data, start + 1, 224)
  return length === undefined ? undefined : { tag: first & 0x3f, ...length }
}

/**
 * A length of one, two or five octets. First octets from `twoOctetsEnd` on are partial lengths of a packet (224), which
 * no signature or key needs; a subpacket (255) has none.
 */
function readLength(data: Buffer, at: number, twoOctetsEnd: 224 | 255): Omit<Frame, 'tag'> | undefined {
  const one = data[at]
  if (one === undefined) return undefined
  if (one < 192) return { bodyAt: at + 1, length: one }
  const two = data[at + 1]
  if (one < twoOctetsEnd)
    return two === undefined ? undefined : { bodyAt: at + 2, length: ((one - 192) << 8) + two + 192 }
  return one !== 255 || at + 5 > data.length ? undefined : { bodyAt: at + 5, length: data.readUInt32BE(at + 1) }
}

export type Subpacket = { readonly type: number; readonly body: Buffer }

export const subpacketType = { issuerKeyId: 16, issuerFingerprint: 33 } as const

/** Nobody needs more than a few subpackets; a long list is only there to be read. */
const maxSubpackets = 256

/**
 * The subpackets of a v4 or v6 signature, hashed and unhashed; undefined where they do not fill their two areas exactly.
 * openpgp.js reads a last subpacket past the end of its area; gpg does not, and neither may we.
 */
export function readSubpackets(body: Buffer): readonly Subpacket[] | undefined {
  const width = body[0] === 6 ? 4 : 2
  const hashed = readArea(body, 4, width)
  const unhashed = hashed === undefined ? undefined : readArea(body, hashed.end, width)
  return hashed === undefined || unhashed === undefined ? undefined : [...hashed.subpackets, ...unhashed.subpackets]
}

function readArea(
  body: Buffer,
  start: number,
  width: number,
): { readonly subpackets: readonly Subpacket[]; readonly end: number } | undefined {
  if (start + width > body.length) return undefined
  const end = start + width + body.readUIntBE(start, width)
  if (end > body.length) return undefined
  const subpackets: Subpacket[] = []
  for (let at = start + width; at < end;) {
    const frame = readLength(body, at, 255)
    if (frame === undefined || frame.length === 0 || subpackets.length === maxSubpackets) return undefined
    at = frame.bodyAt + frame.length
    if (at > end) return undefined
    subpackets.push({ type: (body[frame.bodyAt] ?? 0) & 0x7f, body: body.subarray(frame.bodyAt + 1, at) })
  }
  return { subpackets, end }
}
