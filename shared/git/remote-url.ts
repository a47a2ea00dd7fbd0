import { homedir } from 'node:os'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GitError } from './git-error.ts'

/** Where a repoURL points. */
export type RemoteUrl =
  | { readonly kind: 'local'; readonly path: string }
  | {
      readonly kind: 'remote'
      readonly protocol: 'https' | 'http' | 'ssh' | 'git'
      /** As it is handed to git, without a password. */
      readonly url: string
      readonly user: string | undefined
      readonly password: string | undefined
      readonly host: string
      readonly port: string | undefined
      /** Without leading slash and `.git`. */
      readonly path: string
    }

const defaultPorts: Readonly<Record<string, string>> = { https: '443', http: '80', ssh: '22', git: '9418' }

/** Hosts at which a forge also answers ssh, for networks that let only port 443 out (each forge's own manual). */
const sshAliases: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
  'ssh.dev.azure.com': 'dev.azure.com',
}

/**
 * Reads a URL as git does (git-fetch(1), GIT URLS): a scheme, or `[user@]host:path`, else a local path.
 * @throws GitError unsupported for a transport that could run a program
 */
export function parseRemoteUrl(text: string): RemoteUrl {
  const url = text.trim()
  if (url === '' || url.startsWith('-') || hasControlCharacter(url)) throw refused(url)
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase()
  if (scheme === 'file') return { kind: 'local', path: localPath(url) }
  if (scheme !== undefined) return parseSchemed(url, scheme)
  if (/^[A-Za-z0-9+.-]+::/.test(url)) throw refused(url)
  const scp = /^(?:([^@/:\s]+)@)?(\[[^\]]+\]|[^/:@\s]{2,}):(?!\/\/)(.*)$/.exec(url)
  if (scp === null) return { kind: 'local', path: url.startsWith('~/') ? posix.join(homedir(), url.slice(2)) : url }
  const [, user, host = '', path = ''] = scp
  if (host.startsWith('-') || path.startsWith('-')) throw refused(url)
  return {
    kind: 'remote',
    protocol: 'ssh',
    url,
    user,
    password: undefined,
    host: bare(host),
    port: undefined,
    path: clean(path),
  }
}

/**
 * Two URLs of one repository give one key, whichever protocol and user they name: `git@host:a/b.git`,
 * `ssh://git@host/a/b`, `https://host/a/b/`. Case does not count, as in Argo CD (util/git, NormalizeGitURL).
 * @returns undefined for a local path
 */
export function remoteKey(text: string): string | undefined {
  const remote = parseRemoteUrl(text)
  if (remote.kind === 'local') return undefined
  const { host, port, path, protocol } = remote
  const alias = sshAliases[host]
  const place =
    alias === undefined && port !== undefined && port !== defaultPorts[protocol] ? `${host}:${port}` : (alias ?? host)
  return `${place}/${azurePath(alias ?? host, path)}`.toLowerCase()
}

/** Azure DevOps writes `v3/org/project/repo` over ssh for `org/project/_git/repo` over https. */
function azurePath(host: string, path: string): string {
  if (host !== 'dev.azure.com') return path
  const [, org = '', project = '', repository = ''] = /^v3\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? []
  return org === '' ? path : `${org}/${project}/_git/${repository}`
}

function parseSchemed(url: string, scheme: string): RemoteUrl {
  const protocol = scheme === 'git+ssh' || scheme === 'ssh+git' ? 'ssh' : scheme
  if (protocol !== 'https' && protocol !== 'http' && protocol !== 'ssh' && protocol !== 'git') throw refused(url)
  let parsed: URL
  try {
    // Only the special schemes are parsed with a host that is checked and lowered.
    parsed = new URL(url.replace(/^[^:]+/, protocol === 'http' ? 'http' : 'https'))
  } catch (cause) {
    throw new GitError('unsupported', `${url} is no URL of a repository`, cause)
  }
  const host = parsed.hostname.toLowerCase()
  const user = decode(parsed.username)
  if (host === '' || host.startsWith('-') || user.startsWith('-')) throw refused(url)
  const written = /^[^:]+:\/\/(?:[^@/]*@)?(?:\[[^\]]*\]|[^:/]*):(\d+)/.exec(url)?.[1]
  return {
    kind: 'remote',
    protocol,
    url: withoutPassword(url, protocol),
    user: user === '' ? undefined : user,
    password: parsed.password === '' ? undefined : decode(parsed.password),
    host: bare(host),
    port: written === defaultPorts[protocol] ? undefined : written,
    path: clean(decode(parsed.pathname)),
  }
}

/** The password travels apart; over http the user does too. */
function withoutPassword(url: string, protocol: string): string {
  return url.replace(/^([^:]+:\/\/)(?:([^@/:]*)(?::[^@/]*)?@)?/, (_, scheme: string, user: string | undefined) =>
    user === undefined || protocol !== 'ssh' ? scheme : `${scheme}${user}@`,
  )
}

function clean(path: string): string {
  return path
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .replace(/\/{2,}/g, '/')
}

function bare(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function localPath(url: string): string {
  try {
    return fileURLToPath(url)
  } catch (cause) {
    throw new GitError('unsupported', `${url} names no local folder`, cause)
  }
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 32 || unit === 127) return true
  }
  return false
}

function refused(url: string): GitError {
  return new GitError('unsupported', `${JSON.stringify(url.slice(0, 200))} is no URL that a repository is read from`)
}
