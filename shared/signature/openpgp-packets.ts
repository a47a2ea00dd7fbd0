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
  const tag = first & 0x3f
  const one = data[start + 1]
  if (one === undefined) return undefined
  if (one < 192) return { tag, bodyAt: start + 2, length: one }
  if (one < 224) {
    const two = data[start + 2]
    return two === undefined ? undefined : { tag, bodyAt: start + 3, length: ((one - 192) << 8) + two + 192 }
  }
  if (one !== 255 || start + 6 > data.length) return undefined
  return { tag, bodyAt: start + 6, length: data.readUInt32BE(start + 2) }
}
