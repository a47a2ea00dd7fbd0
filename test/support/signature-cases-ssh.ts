import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type SignatureCase } from './signature-case.ts'
import { SoftSecurityKey, armorSshsig, sshsigData, wire } from './signature-sk.ts'
import { Repository, type Workshop } from './signature-workshop.ts'

const kinds: readonly (readonly [string, string, number?])[] = [
  ['ed', 'ed25519'],
  ['ec256', 'ecdsa', 256],
  ['ec384', 'ecdsa', 384],
  ['ec521', 'ecdsa', 521],
  ['rsa1024', 'rsa', 1024],
  ['rsa2048', 'rsa', 2048],
  ['rsa3072', 'rsa', 3072],
  ['rsa4096', 'rsa', 4096],
]

export function ssh(key: string): readonly string[] {
  return ['gpg.format=ssh', `user.signingkey=${key}`]
}

/** Every key that ssh-keygen makes and the hashes it signs with; security keys from our own hand. */
export function sshAlgorithmCases(workshop: Workshop): readonly SignatureCase[] {
  const repository = new Repository(workshop, 'ssh-algorithms')
  const cases: SignatureCase[] = []
  const lines: string[] = []
  const allowedSigners = workshop.path('allowed-algorithms')
  for (const [name, type, bits] of kinds) {
    const key = workshop.sshKey(`ssh-${name}`, type, bits)
    lines.push(`${name}@example.com ${workshop.read(`${key}.pub`)}`)
    cases.push({
      name: `ssh commit by ${name}`,
      kind: 'commit',
      repository,
      allowedSigners,
      sha: repository.commit(ssh(key)),
    })
    cases.push({
      name: `ssh tag by ${name}`,
      kind: 'tag',
      repository,
      allowedSigners,
      sha: repository.tag(`by-${name}`, ssh(key)),
    })
  }
  for (const hash of ['sha256', 'sha512']) {
    const program = workshop.file(
      `ssh-keygen-${hash}`,
      `#!/bin/sh\ny=$1; verb=$2; shift 2\nexec ssh-keygen "$y" "$verb" -O hashalg=${hash} "$@"\n`,
      0o755,
    )
    const config = [...ssh(workshop.path('ssh-ed')), `gpg.ssh.program=${program}`]
    cases.push({
      name: `ssh commit over ${hash}`,
      kind: 'commit',
      repository,
      allowedSigners,
      sha: repository.commit(config),
    })
  }
  const dsa = workshop.sshKey('ssh-dsa', 'dsa')
  lines.push(`dsa@example.com ${workshop.read(`${dsa}.pub`)}`)
  cases.push({
    name: 'ssh commit by dsa',
    kind: 'commit',
    repository,
    allowedSigners,
    sha: repository.commit(ssh(dsa)),
    stricter: 'ssh-dss signs over SHA-1 always',
  })
  cases.push(...rsaHashCases(workshop, repository, allowedSigners))
  for (const kind of ['ed25519', 'ecdsa'] as const) {
    const key = new SoftSecurityKey(kind)
    lines.push(`sk-${kind}@example.com ${key.publicLine}\n`)
    for (const flags of [0, 1, 5]) {
      const sha = signedBy(repository, (payload) => key.sign(payload, flags))
      cases.push({ name: `ssh commit by ${kind}-sk, flags ${flags}`, kind: 'commit', repository, allowedSigners, sha })
    }
    const wrong = signedBy(repository, (payload) => key.sign(Buffer.concat([payload, Buffer.from('x')]), 1))
    cases.push({
      name: `ssh commit by ${kind}-sk over another payload`,
      kind: 'commit',
      repository,
      allowedSigners,
      sha: wrong,
    })
  }
  workshop.file('allowed-algorithms', lines.join(''))
  return cases
}

/** ssh-keygen signs with rsa-sha2-512 alone; the other algorithms are written here. */
function rsaHashCases(workshop: Workshop, repository: Repository, allowedSigners: string): readonly SignatureCase[] {
  const pem = workshop.path('rsa-pem')
  workshop.run('cp', [workshop.path('ssh-rsa2048'), pem])
  workshop.run('ssh-keygen', ['-q', '-p', '-m', 'PEM', '-N', '', '-f', pem])
  const key = createPrivateKey(readFileSync(pem))
  const blob = Buffer.from(workshop.read('ssh-rsa2048.pub').split(' ')[1] ?? '', 'base64')
  return (['sha256', 'sha512', 'sha1'] as const).map((hash) => {
    const algorithm = hash === 'sha1' ? 'ssh-rsa' : `rsa-sha2-${hash.slice(3)}`
    const sha = signedBy(repository, (payload) => {
      const raw = sign(hash, sshsigData('git', 'sha512', payload), key)
      return armorSshsig(blob, 'git', 'sha512', Buffer.concat([wire(algorithm), wire(raw)]))
    })
    return { name: `ssh commit by ${algorithm}`, kind: 'commit', repository, allowedSigners, sha }
  })
}

/** Signs the repository's head by hand. */
export function signedBy(repository: Repository, signer: (payload: Buffer) => string): string {
  const payload = repository.object('commit', repository.git(['commit-tree', '-m', 'by hand', 'HEAD^{tree}']))
  return repository.write('commit', withHeader(payload, signer(payload)))
}

/** Puts a signature header behind the committer line, where git puts it. */
export function withHeader(payload: Buffer, armor: string, header = 'gpgsig'): Buffer {
  const text = payload.toString('latin1')
  const at = text.indexOf('\n\n') + 1
  const folded = `${header} ${armor.replace(/\n$/, '').replaceAll('\n', '\n ')}\n`
  return Buffer.from(text.slice(0, at) + folded + text.slice(at), 'latin1')
}
