import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto'
import type { CommitFacts, FactsMemory, ObjectReader } from '../../shared/signature/commit-facts.ts'
import { objectId } from '../../shared/signature/git-object.ts'
import { armorSshsig, sshsigData, wire } from './signature-sk.ts'

/** Makes armored signatures over payloads. */
export type Signer = { sign(payload: Uint8Array): string }

/** An SSH key that signs in this process, so that tests of policies need neither git nor ssh-keygen. */
export class SshSigner implements Signer {
  readonly principal: string
  readonly fingerprintLine: string
  private readonly blob: Buffer
  private readonly key: KeyObject

  constructor(principal: string) {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    this.principal = principal
    this.key = privateKey
    this.blob = Buffer.concat([
      wire('ssh-ed25519'),
      wire(Buffer.from(String(publicKey.export({ format: 'jwk' })['x']), 'base64url')),
    ])
    this.fingerprintLine = `${principal} ssh-ed25519 ${this.blob.toString('base64')}\n`
  }

  sign(payload: Uint8Array): string {
    const raw = sign(null, sshsigData('git', 'sha512', payload), this.key)
    return armorSshsig(this.blob, 'git', 'sha512', Buffer.concat([wire('ssh-ed25519'), wire(raw)]))
  }
}

/** Signs something else than it is asked to. */
export class CarelessSigner implements Signer {
  private readonly signer: Signer

  constructor(signer: Signer) {
    this.signer = signer
  }

  sign(): string {
    return this.signer.sign(Buffer.from('something else'))
  }
}

export type CommitPlan = {
  readonly parents?: readonly string[]
  readonly message?: string
  readonly signer?: Signer
  readonly seconds?: number
}

/** Commits and tags in memory, made without git and read as git's. */
export class MemoryRepository implements ObjectReader {
  readonly objects = new Map<string, Uint8Array>()
  reads = 0
  private clock = 1_700_000_000

  commit({ parents = [], message = 'change', signer, seconds = (this.clock += 60) }: CommitPlan = {}): string {
    const links = parents.map((parent) => `parent ${parent}\n`).join('')
    const who = `Ann <ann@example.com> ${seconds} +0000`
    const head = `tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n${links}author ${who}\ncommitter ${who}\n`
    const payload = Buffer.from(`${head}\n${message}\n`)
    const signature = signer === undefined ? '' : `gpgsig ${signer.sign(payload).trimEnd().replaceAll('\n', '\n ')}\n`
    return this.store('commit', Buffer.from(`${head}${signature}\n${message}\n`))
  }

  /** A chain of commits on top of a parent; gives the last. */
  chain(length: number, signer: Signer | undefined, parent?: string): string {
    let last = parent
    for (let index = 0; index < length; index++) {
      last = this.commit({
        ...(last !== undefined && { parents: [last] }),
        message: `number ${index}`,
        ...(signer !== undefined && { signer }),
      })
    }
    return last ?? this.commit()
  }

  tag(name: string, target: string, signer?: Signer, type = 'commit'): string {
    const payload = Buffer.from(
      `object ${target}\ntype ${type}\ntag ${name}\ntagger Ann <ann@example.com> 1700000000 +0000\n\nrelease\n`,
    )
    return this.store('tag', Buffer.concat([payload, Buffer.from(signer?.sign(payload) ?? '')]))
  }

  async readCommit(sha: string): Promise<Uint8Array | undefined> {
    this.reads++
    return this.objects.get(sha)
  }

  readTag(sha: string): Promise<Uint8Array | undefined> {
    return this.readCommit(sha)
  }

  private store(kind: 'commit' | 'tag', bytes: Buffer): string {
    const sha = objectId(kind, bytes, 'sha1')
    this.objects.set(sha, bytes)
    return sha
  }
}

export class MapMemory implements FactsMemory {
  readonly facts = new Map<string, CommitFacts>()

  get(key: string): CommitFacts | undefined {
    return this.facts.get(key)
  }

  set(key: string, facts: CommitFacts): void {
    this.facts.set(key, facts)
  }
}
