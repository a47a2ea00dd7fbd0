import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { redact } from '../base/redact.ts'
import type { RemoteAccess } from '../git/credentials.ts'
import { GitError } from '../git/git-error.ts'
import { parseRemoteUrl, type RemoteUrl } from '../git/remote-url.ts'
import { createSource, type GitSource } from '../git/source.ts'
import type { Application } from '../model/application.ts'
import type { Cancellable } from '../model/ports.ts'

/** A repository that applications are made of. */
export type RepositoryRow = {
  readonly url: string
  readonly kind: 'local' | 'https' | 'ssh'
  /** The folder where it is read from on disk; empty where it is read from its remote. */
  readonly folder: string
  readonly branch: string
  readonly applications: number
}

export type RemoteAnswer = { readonly ok: boolean; readonly message: string }

/** Every repository that the applications name, and the open one. */
export async function listRepositories(
  source: GitSource,
  applications: readonly Application[],
): Promise<readonly RepositoryRow[]> {
  const counts = new Map<string, number>(source.root === undefined ? [] : [['.', 0]])
  for (const { sources } of applications) {
    const urls = new Set(sources.filter(({ chart }) => chart === undefined).map(({ repoURL }) => repoURL))
    for (const url of urls) counts.set(url, (counts.get(url) ?? 0) + 1)
  }
  const branch = await branchOf(source)
  const rows = [...counts].map(async ([url, used]): Promise<RepositoryRow> => {
    const remote = readUrl(url)
    const kind = remote?.kind !== 'remote' ? 'local' : remote.protocol === 'ssh' ? 'ssh' : 'https'
    const local = (await source.isOpen(url)) ? { folder: source.root ?? '', branch } : { folder: '', branch: '' }
    return { url: redact(url), kind, applications: used, ...local }
  })
  return Promise.all(rows)
}

/** Asks a remote for its branches: the least that shows that it can be read. */
export async function testRemote(url: string, access: RemoteAccess, options: Cancellable): Promise<RemoteAnswer> {
  const source = await createSource({ workspace: '/', access, ...options })
  try {
    const branches = await source.probe(url, options)
    return {
      ok: true,
      message: branches === 1 ? 'it answers, with one branch' : `it answers, with ${branches} branches`,
    }
  } catch (error) {
    if (!GitError.is(error)) throw error
    return { ok: false, message: [error.message, meaningOf(error.reason)].filter((part) => part !== '').join(': ') }
  } finally {
    await source.dispose()
  }
}

/** What a person can do about it. Forges answer 404 for what a token may not see. */
function meaningOf(reason: GitError['reason']): string {
  switch (reason) {
    case 'auth-failed':
      return 'the credentials are wrong, or have expired'
    case 'forbidden':
      return 'the credentials are known, and may not read this repository: the token needs read access to its contents, and organisations may ask for single sign-on'
    case 'repository-not-found':
      return 'the address is wrong, or the credentials may not know that it exists'
    default:
      return ''
  }
}

async function branchOf({ repository }: GitSource): Promise<string> {
  if (repository === undefined) return ''
  const head = await readFile(path.join(repository.layout.gitDir, 'HEAD'), 'utf8').catch(() => '')
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? ''
}

function readUrl(url: string): RemoteUrl | undefined {
  try {
    return parseRemoteUrl(url)
  } catch {
    return undefined
  }
}
