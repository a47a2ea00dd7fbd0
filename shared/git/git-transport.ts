import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Credentials, RemoteAccess } from './credentials.ts'
import { runGit } from './git-binary.ts'
import type { GitBinary, GitCall } from './git-binary.ts'
import { isObjectId } from './object-id.ts'
import type { Advertised, RemoteTransport } from './remote-transport.ts'
import type { RemoteUrl } from './remote-url.ts'

type Remote = Extract<RemoteUrl, { readonly kind: 'remote' }>

interface Options {
  readonly signal?: AbortSignal | undefined
}

/** What a git transport needs besides the remote. */
export interface GitTransportParts {
  readonly git: GitBinary
  readonly remote: Remote
  readonly access: RemoteAccess
  readonly credentials: Credentials | undefined
  /** Where certificates are written for git to read; ours. */
  readonly certificateFile: string
}

const defaultTimeoutMs = 600_000
/** Branches and tags lie in a mirror where they lie on the remote. */
const mirrorRefspecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'] as const
/**
 * Answers git's question for a password from the environment. git asks it for the first host alone; an extra header
 * would follow a redirect to any other.
 */
const passwordHelper = `!f() { printf 'username=%s\\npassword=%s\\n' "$PLUMBLINE_GIT_USERNAME" "$PLUMBLINE_GIT_PASSWORD"; }; f`

/** Reaches a remote by the git binary: every protocol, the person's own configuration and credential helpers. */
export class GitTransport implements RemoteTransport {
  private readonly parts: GitTransportParts

  constructor(parts: GitTransportParts) {
    this.parts = parts
  }

  async advertised(options: Options): Promise<Advertised> {
    const out = await this.run(
      ['ls-remote', '--symref', '--', this.url(), 'HEAD', 'refs/heads/*', 'refs/tags/*'],
      options,
    )
    return parseAdvertised(out.toString('utf8'))
  }

  async create(gitDir: string, { refs }: Advertised, { signal }: Options): Promise<void> {
    const format = refs.some(({ id }) => isObjectId(id, 'sha256')) ? 'sha256' : 'sha1'
    const args = ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '--', gitDir]
    await runGit(this.parts.git, args, { signal, timeoutMs: 30_000 })
  }

  async fetch(gitDir: string, _: Advertised, options: Options): Promise<void> {
    const args = ['fetch', '--prune', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--quiet', '--']
    await this.run([...args, this.url(), ...mirrorRefspecs], { ...options, gitDir })
  }

  async fetchOne(gitDir: string, wanted: string, keepAs: string, options: Options): Promise<void> {
    const args = ['fetch', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--quiet', '--']
    await this.run([...args, this.url(), `+${wanted}:${keepAs}`], { ...options, gitDir })
  }

  /** With the user of the URL where a helper is to find that user's password. */
  private url(): string {
    const { remote, credentials } = this.parts
    if (credentials !== undefined || remote.user === undefined || !remote.protocol.startsWith('http')) return remote.url
    return remote.url.replace('://', `://${encodeURIComponent(remote.user)}@`)
  }

  private async run(
    args: readonly string[],
    { gitDir, signal }: Options & { readonly gitDir?: string },
  ): Promise<Buffer> {
    const { access, remote } = this.parts
    return runGit(this.parts.git, args, {
      gitDir,
      signal,
      timeoutMs: access.timeoutMs ?? defaultTimeoutMs,
      protocols: [remote.protocol],
      config: this.config(),
      env: await this.environment(),
    })
  }

  private config(): NonNullable<GitCall['config']> {
    const { access, credentials, remote } = this.parts
    const config: [string, string][] = [
      ['gc.autoDetach', 'false'],
      ['maintenance.autoDetach', 'false'],
      ['fetch.recurseSubmodules', 'false'],
    ]
    if (remote.protocol !== 'https' && remote.protocol !== 'http') return config
    const { origin } = new URL(remote.url)
    // The person's own helpers would be told to forget their password when ours is refused.
    if (credentials !== undefined) config.push(['credential.helper', ''])
    if (credentials?.kind === 'basic') config.push([`credential.${origin}.helper`, passwordHelper])
    if (credentials?.kind === 'bearer') {
      config.push([`http.${origin}/.extraHeader`, `Authorization: Bearer ${credentials.token}`])
      config.push(['http.followRedirects', 'false'])
    }
    if (access.proxy !== undefined) config.push([`http.${origin}/.proxy`, access.proxy])
    return config
  }

  private async environment(): Promise<Record<string, string | undefined>> {
    const { access, credentials, remote, certificateFile } = this.parts
    if (remote.protocol === 'ssh') return sshEnvironment(credentials)
    const env: Record<string, string> = {}
    const certificates = await access.certificatesFor?.(remote.url)
    if (certificates !== undefined) {
      await mkdir(dirname(certificateFile), { recursive: true, mode: 0o700 })
      await writeFile(certificateFile, certificates, { mode: 0o600 })
      // The variable, since one that the machine sets would win over any configuration.
      env['GIT_SSL_CAINFO'] = certificateFile
    }
    if (credentials?.kind === 'basic') {
      env['PLUMBLINE_GIT_USERNAME'] = credentials.username
      env['PLUMBLINE_GIT_PASSWORD'] = credentials.password
    }
    return env
  }
}

function sshEnvironment(credentials: Credentials | undefined): Record<string, string> {
  if (credentials?.kind !== 'ssh-key') return {}
  // git hands this to a shell, so the files are quoted; they are the person's settings, not the repository's.
  const options = ['-o', 'BatchMode=yes', '-o', 'IdentitiesOnly=yes', '-i', shellQuote(credentials.keyFile)]
  if (credentials.knownHostsFile !== undefined) {
    options.push('-o', shellQuote(`UserKnownHostsFile=${credentials.knownHostsFile}`))
    options.push('-o', 'StrictHostKeyChecking=yes')
  }
  return { GIT_SSH_COMMAND: ['ssh', ...options].join(' '), GIT_SSH_VARIANT: 'ssh' }
}

/** Reads `git ls-remote --symref`: `ref: NAME TAB HEAD`, `ID TAB NAME`; peeled tags (`^{}`) are passed over. */
export function parseAdvertised(text: string): Advertised {
  let head: string | undefined
  const refs: { name: string; id: string }[] = []
  for (const line of text.split('\n')) {
    const [value = '', name = ''] = line.split('\t')
    if (name === 'HEAD') head ??= value.startsWith('ref: ') ? value.slice('ref: '.length) : value
    else if (/^[0-9a-f]{40,64}$/.test(value) && /^refs\/(?:heads|tags)\//.test(name) && !name.endsWith('^{}')) {
      refs.push({ name, id: value })
    }
  }
  return { refs, head }
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
