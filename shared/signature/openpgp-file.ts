import { readArmor } from './armor.ts'
import { limits } from './limits.ts'
import { packetTag, readPackets } from './openpgp-packets.ts'

export type OpenPgpFile = { readonly keys: readonly Buffer[]; readonly problems: readonly string[] }

const block = /-----BEGIN (PGP [A-Z ]+)-----[\s\S]*?-----END \1-----/g

/**
 * Cuts a file into transferable public keys, each as bare packets: armored blocks one after another with any text
 * between, or a binary export.
 */
export function openPgpBlobs(bytes: Uint8Array): OpenPgpFile {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if ((buffer[0] ?? 0) & 0x80) return splitKeys(buffer)
  const keys: Buffer[] = []
  const problems: string[] = []
  const text = buffer.toString('latin1')
  for (const [armored, label] of text.matchAll(block)) {
    const found =
      label === 'PGP PUBLIC KEY BLOCK' ? dearmor(armored) : { keys: [], problems: [`${label}, not a public key`] }
    keys.push(...found.keys)
    problems.push(...found.problems)
  }
  if (keys.length === 0 && problems.length === 0) {
    problems.push(isKeybox(buffer) ? 'a gpg keybox; use an export of it (gpg --export)' : 'no OpenPGP public key')
  }
  return { keys, problems }
}

function dearmor(armored: string): OpenPgpFile {
  const armor = readArmor(Buffer.from(armored, 'latin1'), limits.keyFile)
  return armor.kind === 'data' ? splitKeys(armor.data) : { keys: [], problems: ['unreadable armor'] }
}

function splitKeys(data: Buffer): OpenPgpFile {
  const packets = readPackets(data)
  if (packets === undefined) return { keys: [], problems: ['unreadable packets'] }
  if (packets.some((packet) => packet.tag === packetTag.secretKey)) {
    return { keys: [], problems: ['a private key; only public keys belong here'] }
  }
  const starts = packets.filter((packet) => packet.tag === packetTag.publicKey).map((packet) => packet.start)
  if (starts.length === 0) return { keys: [], problems: ['no OpenPGP public key'] }
  return { keys: starts.map((start, index) => data.subarray(start, starts[index + 1] ?? data.length)), problems: [] }
}

/** GnuPG's own keyring file, whose first blob carries these letters at offset 8. */
function isKeybox(buffer: Buffer): boolean {
  return buffer.toString('latin1', 8, 12) === 'KBXf'
}
