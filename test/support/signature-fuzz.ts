import { crc24, readArmor } from '../../shared/signature/armor.ts'
import type { KeySource, Keyring } from '../../shared/signature/keyring.ts'
import { verifyCommit, verifyTag } from '../../shared/signature/verify.ts'
import type { Recorded } from './signature-matrix.ts'

export type Survivor = { readonly item: Recorded; readonly mutant: Buffer }

/** What became of many mutated signatures. */
export type FuzzResult = {
  readonly inputs: number
  /** Mutants that are the same signature over the same payload (a comment changed, an unsigned subpacket); git accepts them too. */
  readonly same: readonly Survivor[]
  readonly broken: readonly string[]
  readonly slowestMs: number
  readonly largestGrowthMb: number
  readonly reasons: ReadonlyMap<string, number>
}

/** Numbers that are random enough and the same in every run. */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed | 0
  }

  below(limit: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) | 0
    const mixed = Math.imul(this.state ^ (this.state >>> 15), 0x2c1b3c6d)
    return ((mixed ^ (mixed >>> 12)) >>> 0) % limit
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
}

type Parts = { readonly before: string; readonly armor: string; readonly after: string; readonly isFolded: boolean }

/** Cuts an object into its signature and the rest, by text alone, without the code under test. */
export function cut(item: Pick<Recorded, 'kind'>, bytes: Uint8Array): Parts | undefined {
  const text = Buffer.from(bytes).toString('latin1')
  if (item.kind === 'tag') {
    const at = text.lastIndexOf('\n-----BEGIN ') + 1
    return at === 0 ? undefined : { before: text.slice(0, at), armor: text.slice(at), after: '', isFolded: false }
  }
  const head = text.slice(0, text.indexOf('\n\n') + 1)
  const found = /^gpgsig(?:-sha256)? [^\n]*\n(?: [^\n]*\n)*/m.exec(head)
  if (found === null) return undefined
  const name = found[0].slice(0, found[0].indexOf(' ') + 1)
  return {
    before: text.slice(0, found.index) + name,
    armor: found[0].slice(name.length).replaceAll('\n ', '\n'),
    after: text.slice(found.index + found[0].length),
    isFolded: true,
  }
}

function join(parts: Parts, armor: string): Buffer {
  const body = armor.endsWith('\n') ? armor.slice(0, -1) : armor
  const folded = parts.isFolded ? `${body.replaceAll('\n', '\n ')}\n` : armor
  return Buffer.from(parts.before + folded + parts.after, 'latin1')
}

/** Cases that git accepts and we do too: the ones worth changing. */
export function fuzzable(cases: readonly Recorded[]): readonly Recorded[] {
  return cases.filter((item) => item.git.accepted && item.stricter === undefined)
}

/** All that vouches for them, each file once, and nothing that revokes. */
export function sourcesOf(cases: readonly Recorded[]): readonly KeySource[] {
  const files = new Map(cases.flatMap((item) => item.sources).map((source) => [source.bytes, source]))
  return [...files.values()].filter((source) => source.kind !== 'revoked-ssh')
}

/** Runs mutants of recorded objects through the checker, and judges what it does. */
export async function fuzz(
  cases: readonly Recorded[],
  keyring: Keyring,
  now: number,
  count: number,
  seed: number,
): Promise<FuzzResult> {
  const random = new Random(seed)
  // A gpgsig-sha256 in a SHA-1 repository is signed by nothing and read by nobody, so any change to it is none.
  const signed = cases.filter(
    (item) => cut(item, item.bytes) !== undefined && !item.name.includes('gpgsig-sha256 beside'),
  )
  const broken: string[] = []
  const reasons = new Map<string, number>()
  const same: Survivor[] = []
  let [slowestMs, largestGrowthMb] = [0, 0]
  for (let index = 0; index < count; index++) {
    const item = random.pick(signed)
    const mutant = mutate(item, signed, random)
    const verify = item.kind === 'commit' ? verifyCommit : verifyTag
    const peak = process.resourceUsage().maxRSS
    try {
      const { ms, verdict } = await timed(() => verify(mutant, keyring, { now }))
      slowestMs = Math.max(slowestMs, ms)
      largestGrowthMb = Math.max(largestGrowthMb, (process.resourceUsage().maxRSS - peak) / 1024)
      reasons.set(verdict.reason, (reasons.get(verdict.reason) ?? 0) + 1)
      if (verdict.verdict !== 'verified') continue
      if (signed.some((original) => isSameSignature(original, mutant))) same.push({ item, mutant })
      else broken.push(`verified: ${item.name}: ${mutant.toString('base64')}`)
    } catch (error) {
      broken.push(`crash: ${item.name}: ${String(error)}: ${mutant.toString('base64')}`)
    }
  }
  return { inputs: count, same, broken, slowestMs, largestGrowthMb, reasons }
}

/** A slow run on a busy machine is tried again: only an input that is slow every time is slow. */
export async function timed<T extends { readonly verdict: unknown }>(
  run: () => Promise<T>,
): Promise<T & { readonly ms: number }> {
  let best = Infinity
  for (let attempt = 0; ; attempt++) {
    const start = performance.now()
    const result = await run()
    best = Math.min(best, performance.now() - start)
    if (best < 25 || attempt === 10) return { ...result, ms: best }
  }
}

/** Whether a mutant is a recorded object in everything that its signature covers, and in the signature itself. */
function isSameSignature(original: Recorded, mutant: Buffer): boolean {
  const [before, after] = [cut(original, original.bytes), cut(original, mutant)]
  if (before === undefined || after === undefined) return false
  return before.before === after.before && before.after === after.after && core(before.armor) === core(after.armor)
}

/** The part of a signature that is not free to change: for OpenPGP without unhashed subpackets, and with the numbers' bytes alone. */
function core(armored: string): string | undefined {
  const armor = readArmor(Buffer.from(armored, 'latin1'))
  if (armor.kind !== 'data') return undefined
  const { data, label } = armor
  if (label === 'SSH SIGNATURE') return data.toString('hex')
  // BER has many spellings of one signature; git is asked about those that survive.
  if (label === 'SIGNED MESSAGE') return label
  const [first = 0] = data
  const headerSize =
    (first & 0x40) !== 0 ? ((data[1] ?? 0) < 192 ? 2 : (data[1] ?? 0) < 255 ? 3 : 6) : 1 + ([1, 2, 4][first & 3] ?? 0)
  const body = data.subarray(headerSize)
  const unhashedAt = 6 + body.readUInt16BE(4)
  const numbersAt = unhashedAt + 2 + body.readUInt16BE(unhashedAt)
  return (
    body.toString('hex', 0, unhashedAt) +
    body.toString('hex', numbersAt, numbersAt + 2) +
    numbers(body.subarray(numbersAt + 2))
  )
}

/** gpg and we read a number's length in bytes, so its length in bits may say a little less. */
function numbers(data: Buffer): string {
  const values: string[] = []
  for (let at = 0; at + 2 <= data.length;) {
    const size = (data.readUInt16BE(at) + 7) >> 3
    values.push(data.toString('hex', at + 2, at + 2 + size))
    at += 2 + size
  }
  return values.join()
}

function mutate(item: Recorded, all: readonly Recorded[], random: Random): Buffer {
  const parts = cut(item, item.bytes)
  if (parts === undefined) return Buffer.from(item.bytes)
  switch (random.below(6)) {
    case 0:
      return join(parts, mutateText(parts.armor, random))
    case 1:
    case 2:
    case 3:
      return join(parts, mutatePackets(parts.armor, all, random))
    case 4:
      return mutateBytes(Buffer.from(item.bytes), random)
    default: {
      const other = random.pick(all)
      return join(parts, cut(other, other.bytes)?.armor ?? '')
    }
  }
}

const scraps = [
  '-----BEGIN PGP SIGNATURE-----',
  '-----END PGP SIGNATURE-----',
  '-----BEGIN SSH SIGNATURE-----',
  '',
  '=AAAA',
  'Comment: x',
  '\r',
  ' ',
  'A'.repeat(5000),
  '='.repeat(100),
  '\t'.repeat(3000),
]

function mutateText(armor: string, random: Random): string {
  const lines = armor.split('\n')
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = random.below(lines.length)
    switch (random.below(5)) {
      case 0:
        lines.splice(at, 1)
        break
      case 1:
        lines.splice(at, 0, lines[random.below(lines.length)] ?? '')
        break
      case 2:
        lines.splice(at, 0, random.pick(scraps))
        break
      case 3:
        lines[at] = mutateBytes(Buffer.from(lines[at] ?? '', 'latin1'), random)
          .toString('latin1')
          .replaceAll('\n', '')
        break
      default:
        lines.push(...lines.slice(0, 1 + random.below(lines.length)))
    }
  }
  return lines.join('\n')
}

/** Changes the bytes inside the armor and puts a right armor around them again, so that the parsers behind it are met. */
function mutatePackets(armor: string, all: readonly Recorded[], random: Random): string {
  const lines = armor.trimEnd().split('\n')
  const isPgp = lines[0]?.includes('PGP') ?? false
  const blank = isPgp ? lines.indexOf('') : 0
  const data = Buffer.from(
    lines
      .slice(blank + 1, -1)
      .filter((line) => !line.startsWith('='))
      .join(''),
    'base64',
  )
  const other = random.pick(all)
  const donor = random.below(4) === 0 ? Buffer.from(other.bytes) : data
  const changed = random.below(5) === 0 ? spliced(data, donor, random) : mutateBytes(data, random)
  const text = changed.toString('base64').match(/.{1,64}/g) ?? []
  const sum = Buffer.alloc(3)
  sum.writeUIntBE(crc24(changed), 0, 3)
  const tail = isPgp ? [`=${sum.toString('base64')}`] : []
  return [lines[0], ...(isPgp ? [''] : []), ...text, ...tail, lines.at(-1), ''].join('\n')
}

function spliced(data: Buffer, donor: Buffer, random: Random): Buffer {
  const at = random.below(data.length + 1)
  const from = random.below(donor.length + 1)
  return Buffer.concat([
    data.subarray(0, at),
    donor.subarray(from, from + random.below(300)),
    data.subarray(at + random.below(30)),
  ])
}

const interesting = [0, 1, 0x7f, 0x80, 0xff, 0xc0, 0x40]

function mutateBytes(data: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(data)
  for (let times = 1 + random.below(4); times > 0 && bytes.length > 0; times--) {
    const at = random.below(bytes.length)
    switch (random.below(6)) {
      case 0:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
        break
      case 1:
        bytes[at] = random.pick(interesting)
        break
      case 2:
        if (at + 4 <= bytes.length)
          bytes.writeUInt32BE(random.pick([0, 1, 0xffffffff, 0x7fffffff, 0x10000, bytes.length]), at)
        break
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(8))])
        break
      case 4:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.alloc(1 + random.below(600), random.below(256)),
          bytes.subarray(at),
        ])
        break
      default:
        bytes = bytes.subarray(0, at)
    }
  }
  return bytes
}
