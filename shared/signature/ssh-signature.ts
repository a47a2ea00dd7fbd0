import { WireReader } from './ssh-wire.ts'

/** The parts of a signature in OpenSSH's PROTOCOL.sshsig. */
export type SshSignature = {
  readonly version: number
  readonly publicKey: Buffer
  readonly namespace: string
  readonly hash: string
  readonly signature: Buffer
}

export const sshSignatureMagic = Buffer.from('SSHSIG')

/** @throws WireError where the blob is no SSHSIG */
export function readSshSignature(blob: Buffer): SshSignature | undefined {
  const reader = new WireReader(blob)
  if (!reader.raw(sshSignatureMagic.length).equals(sshSignatureMagic)) return undefined
  const version = reader.u32()
  const publicKey = reader.string()
  const namespace = reader.text()
  // Reserved, and not signed over: ssh-keygen writes it empty and ignores what it reads, we take nothing unsigned.
  if (reader.string().length > 0) return undefined
  const hash = reader.text()
  const signature = reader.string()
  reader.finish()
  return { version, publicKey, namespace, hash, signature }
}
