import { readAllowedSigners, readPublicKey } from './allowed-signers.ts'
import type { KeySource } from './keyring.ts'
import { isKrl } from './ssh-krl.ts'

/** A file of keys, wherever it comes from. */
export type KeyFile = { readonly name: string; readonly bytes: Uint8Array }

/** A Kubernetes ConfigMap or Secret, as far as keys go. `data` of a Secret is base64, `stringData` is not. */
export type KeyObject = {
  readonly kind?: string
  readonly data?: Readonly<Record<string, string>>
  readonly stringData?: Readonly<Record<string, string>>
  readonly binaryData?: Readonly<Record<string, string>>
}

/**
 * Tells what a file of keys holds by its content, never by its name alone; a name decides only whether plain SSH keys are
 * allowed or revoked. Undefined for what holds no keys.
 */
export function keySourceOf(file: KeyFile): KeySource | undefined {
  const { name, bytes } = file
  if (isKrl(bytes)) return { kind: 'revoked-ssh', name, bytes }
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1 << 20)).toString('latin1')
  if (head.includes('-----BEGIN PGP ') || isOpenPgpBinary(bytes) || head.startsWith('KBXf', 8)) {
    return { kind: 'openpgp', name, bytes }
  }
  if (head.includes('-----BEGIN CERTIFICATE-----')) return { kind: 'x509-roots', name, bytes }
  const bare = bareKeys(head)
  if (/(?:^|[/._-])(?:revoked|krl)/i.test(name)) {
    return bare.length > 0 || head.trim() === '' ? { kind: 'revoked-ssh', name, bytes } : undefined
  }
  if (bare.length > 0) return { kind: 'allowed-signers', name, bytes: Buffer.from(bare.join('\n')) }
  return readAllowedSigners(head).signers.length > 0 ? { kind: 'allowed-signers', name, bytes } : undefined
}

/** Sources of a folder, by name, so that the keyring's hash does not depend on the order of a directory. */
export function keySourcesOf(files: readonly KeyFile[]): readonly KeySource[] {
  return files
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(keySourceOf)
    .filter((source) => source !== undefined)
}

/** Files of `argocd-gpg-keys-cm` (key id: armored key), of Flux's verification Secret (`*.asc`), or of any other such object. */
export function keyFilesOf(object: KeyObject): readonly KeyFile[] {
  const isSecret = object.kind === 'Secret'
  const base64 = { ...(isSecret ? object.data : {}), ...object.binaryData }
  const text = { ...(isSecret ? {} : object.data), ...object.stringData }
  return [
    ...Object.entries(base64).map(([name, value]) => ({ name, bytes: Buffer.from(value, 'base64') })),
    ...Object.entries(text).map(([name, value]) => ({ name, bytes: Buffer.from(value) })),
  ]
}

/** Old or new frame of a public key packet, tag 6. */
function isOpenPgpBinary(bytes: Uint8Array): boolean {
  const [first = 0] = bytes
  return (first & 0xfc) === 0x98 || first === 0xc6
}

/** Lines of a `.pub` file have no principals: the comment stands in for them, or anybody. */
function bareKeys(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim())
  const content = lines.filter((line) => line !== '' && !line.startsWith('#'))
  if (content.length === 0 || !content.every((line) => readPublicKey(line) !== undefined)) return []
  return content.map((line) => {
    const [type = '', base64 = '', comment = ''] = line.split(/[ \t]+/)
    return `${/^[^\s,!*?"]+$/.test(comment) ? comment : '*'} ${type} ${base64}`
  })
}
