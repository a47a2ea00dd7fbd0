import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'plumbline-control-plane-'

/**
 * Who may sign in, by bearer token: `admin` is in `system:masters`, `editor` may what role `edit` may in
 * namespace `default`, `viewer` what role `view` may in every namespace (no Secrets), `nobody` is known and may nothing.
 */
type ControlPlaneUser = 'admin' | 'editor' | 'viewer' | 'nobody'

export type Tokens = Readonly<Record<ControlPlaneUser, string>>

const folders = new Set<string>()

process.on('exit', () => {
  for (const folder of folders) removeFolder(folder)
})

/** A temporary folder that carries its owner's pid, so that what a killed run left behind can be swept later. */
export function makeFolder(): string {
  sweepAbandoned()
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  folders.add(folder)
  return folder
}

export function removeFolder(folder: string): void {
  folders.delete(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

function sweepAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Fresh random tokens, written in the form of `--token-auth-file`. */
export function writeTokens(path: string): Tokens {
  const tokens: Tokens = { admin: token(), editor: token(), viewer: token(), nobody: token() }
  const groups: Readonly<Record<ControlPlaneUser, string>> = {
    admin: 'system:masters',
    editor: 'plumbline:editors',
    viewer: 'plumbline:viewers',
    nobody: 'plumbline:nobodies',
  }
  const lines = Object.entries(tokens).map(
    ([user, value]) => `${value},${user},${user},"${groups[user as ControlPlaneUser]}"`,
  )
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 })
  return tokens
}

function token(): string {
  return randomBytes(16).toString('hex')
}

/** The key pair with which the API server signs and checks service account tokens. */
export function writeServiceAccountKeys(privatePath: string, publicPath: string): void {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  writeFileSync(privatePath, privateKey, { mode: 0o600 })
  writeFileSync(publicPath, publicKey)
}

/** An audit policy that records who asked for what and how it ended, once a request, without bodies. */
export function writeAuditPolicy(path: string): void {
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived', 'ResponseStarted'],
    rules: [{ level: 'Metadata' }],
  }
  writeFileSync(path, JSON.stringify(policy))
}

/** A kubeconfig with one context a user, named as the user; `admin` is current. */
export function writeKubeconfig(path: string, url: string, caPem: string, tokens: Tokens): void {
  const users = Object.entries(tokens)
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'admin',
    clusters: [
      {
        name: 'control-plane',
        cluster: { server: url, 'certificate-authority-data': Buffer.from(caPem).toString('base64') },
      },
    ],
    users: users.map(([name, value]) => ({ name, user: { token: value } })),
    contexts: users.map(([name]) => ({
      name,
      context: { cluster: 'control-plane', user: name, namespace: 'default' },
    })),
  }
  writeFileSync(path, JSON.stringify(config, null, 1), { mode: 0o600 })
}
