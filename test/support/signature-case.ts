import type { Repository, Workshop } from './signature-workshop.ts'

/** One object with a signature (or none), and whose word counts. */
export type SignatureCase = {
  readonly name: string
  readonly kind: 'commit' | 'tag'
  readonly repository: Repository
  readonly sha: string
  /** Files for `gpg.ssh.allowedSignersFile` and `gpg.ssh.revocationFile`. */
  readonly allowedSigners?: string
  readonly revoked?: string
  /** A PEM file of X.509 roots, which the judge's gpgsm trusts too. */
  readonly roots?: string
  /**
   * Set where we refuse on purpose what git may accept; the value says why. The judge's word is still recorded, and the
   * only agreement asked for is that we verify nothing that git does not.
   */
  readonly stricter?: string
}

export type CaseMaker = (workshop: Workshop) => readonly SignatureCase[]

/** Rewrites a signed commit's armored signature, or any of its bytes, and folds it back as git does. */
export function withSignature(bytes: Buffer, change: (armor: string) => string, header = 'gpgsig'): Buffer {
  const text = bytes.toString('latin1')
  const found = new RegExp(`^${header} .*\\n(?: .*\\n)*`, 'm').exec(text)
  if (found === null) throw new Error('not signed')
  const armor = found[0].slice(header.length + 1).replaceAll('\n ', '\n')
  const changed = change(armor)
  const folded = `${header} ${changed.replace(/\n$/, '').replaceAll('\n', '\n ')}\n`
  return Buffer.from(text.slice(0, found.index) + folded + text.slice(found.index + found[0].length), 'latin1')
}

/** The armored signature of a signed commit. */
export function signatureOf(bytes: Buffer): string {
  let armor = ''
  withSignature(bytes, (found) => (armor = found))
  return armor
}

/** Changes one letter in the middle of the base64, and drops the checksum that would give it away. */
export function flipMiddle(armor: string): string {
  const lines = armor.split('\n').filter((line) => !/^=[A-Za-z0-9+/]{4}$/.test(line))
  const at = Math.floor(lines.length / 2)
  const line = lines[at] ?? ''
  const letter = line[10] === 'A' ? 'B' : 'A'
  lines[at] = line.slice(0, 10) + letter + line.slice(11)
  return lines.join('\n')
}
