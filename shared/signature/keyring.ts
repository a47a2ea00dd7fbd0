import { type X509Certificate, createHash } from 'node:crypto'
import { type AllowedSigner, readAllowedSigners } from './allowed-signers.ts'
import { limits } from './limits.ts'
import { readOpenPgpKey } from './openpgp-key.ts'
import type { OpenPgpKey } from './openpgp-key.ts'
import { firstRevocation } from './openpgp-self-signature.ts'
import { openPgpBlobs } from './openpgp-file.ts'
import { type SshRevocations, readRevocations } from './ssh-revocation.ts'
import { WireError } from './ssh-wire.ts'
import { readRoots } from './x509-roots.ts'

/** A file of keys and what it holds. */
export type KeySource = {
  readonly kind: 'openpgp' | 'allowed-signers' | 'revoked-ssh' | 'x509-roots'
  /** For messages: a file name, a key of a ConfigMap. */
  readonly name: string
  readonly bytes: Uint8Array
}

/** Everything that signatures are judged by. What it holds is trusted; who may sign what is the policy's business. */
export type Keyring = {
  readonly openpgp: readonly OpenPgpKey[]
  readonly byKeyId: ReadonlyMap<string, readonly OpenPgpKey[]>
  readonly signers: readonly AllowedSigner[]
  readonly revocations: readonly SshRevocations[]
  readonly roots: readonly X509Certificate[]
  /** Changes with any byte of any source. */
  readonly hash: string
  /** What could not be read and therefore trusts nobody. */
  readonly problems: readonly KeyProblem[]
}

export type KeyProblem = { readonly source: string; readonly message: string }

export class KeyringError extends Error {
  override readonly name = 'KeyringError'
  readonly reason: 'unreadable-revocations' | 'too-large'

  constructor(reason: KeyringError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }

  static is(value: unknown): value is KeyringError {
    return value instanceof KeyringError
  }
}

type Draft = {
  readonly openpgp: Map<string, OpenPgpKey>
  readonly signers: AllowedSigner[]
  readonly revocations: SshRevocations[]
  readonly roots: X509Certificate[]
  readonly problems: KeyProblem[]
}

/**
 * Reads key files into a keyring. An unreadable key is reported and trusts nobody; an unreadable revocation list throws,
 * since nobody knows then whom to distrust.
 * @throws KeyringError
 */
export async function readKeyring(sources: readonly KeySource[]): Promise<Keyring> {
  const draft: Draft = { openpgp: new Map(), signers: [], revocations: [], roots: [], problems: [] }
  for (const source of sources) {
    if (source.bytes.length > limits.keyFile)
      throw new KeyringError('too-large', `${source.name}: more than ${limits.keyFile} bytes`)
    await readSource(draft, source)
  }
  const openpgp = [...draft.openpgp.values()]
  return {
    openpgp,
    byKeyId: Map.groupBy(openpgp, (key) => key.keyId),
    signers: draft.signers,
    revocations: draft.revocations,
    roots: draft.roots,
    hash: hashOf(sources),
    problems: draft.problems,
  }
}

async function readSource(draft: Draft, source: KeySource): Promise<void> {
  const report = (message: string) => draft.problems.push({ source: source.name, message })
  switch (source.kind) {
    case 'openpgp':
      return readOpenPgp(draft, source.bytes, report)
    case 'allowed-signers': {
      const file = readAllowedSigners(Buffer.from(source.bytes).toString('utf8'))
      draft.signers.push(...file.signers)
      for (const problem of file.problems) report(`line ${problem.line}: ${problem.message}`)
      return undefined
    }
    case 'revoked-ssh':
      draft.revocations.push(revocationsOf(source))
      return undefined
    case 'x509-roots': {
      const { roots, problem } = readRoots(source.bytes)
      draft.roots.push(...roots)
      if (problem !== undefined) report(problem)
      return undefined
    }
  }
}

async function readOpenPgp(draft: Draft, bytes: Uint8Array, report: (message: string) => void): Promise<void> {
  const { keys, problems } = openPgpBlobs(bytes)
  for (const problem of problems) report(problem)
  for (const blob of keys) {
    try {
      for (const key of await readOpenPgpKey(blob)) keepStricter(draft.openpgp, key)
    } catch (error) {
      report(error instanceof Error ? error.message : String(error))
    }
  }
}

/** Of two copies of a key the newer statement counts, and a revocation in either; gpg merges them to the same effect. */
function keepStricter(keys: Map<string, OpenPgpKey>, key: OpenPgpKey): void {
  const id = `${key.primaryFingerprint}/${key.fingerprint}`
  const known = keys.get(id)
  if (known === undefined) {
    keys.set(id, key)
    return
  }
  const revoked = firstRevocation(known.revoked, key.revoked)
  const later = key.statedAt > known.statedAt ? key : known
  keys.set(id, { ...later, ...(revoked !== undefined && { revoked }) })
}

function revocationsOf(source: KeySource): SshRevocations {
  try {
    return readRevocations(source.bytes)
  } catch (cause) {
    if (!WireError.is(cause)) throw cause
    throw new KeyringError('unreadable-revocations', `${source.name}: ${cause.message}`, { cause })
  }
}

function hashOf(sources: readonly KeySource[]): string {
  const digests = sources.map((source) => `${source.kind} ${createHash('sha256').update(source.bytes).digest('hex')}`)
  return createHash('sha256').update(digests.sort().join('\n')).digest('hex')
}

/**
 * The keyring's hash at a moment: it changes too when a key expires, so a remembered verdict does not outlive the key
 * that it rests on.
 */
export function keyringState(keyring: Keyring, now: number): string {
  const expired = keyring.openpgp.filter((key) => key.expiresAt !== undefined && key.expiresAt <= now)
  return `${keyring.hash}:${expired.length}`
}
