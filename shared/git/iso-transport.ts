import fs from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fetch, listServerRefs, readObject, setConfig, writeRef } from 'isomorphic-git'
import { TimedOutError, isCancelled, throwIfAborted, withTimeout } from '../base/abort.ts'
import { authorization } from './credentials.ts'
import type { Credentials, RemoteAccess } from './credentials.ts'
import { discoverRepository } from './discovery.ts'
import { GitError } from './git-error.ts'
import { httpsClient } from './https-client.ts'
import type { HttpsClient } from './https-client.ts'
import { RefStore, isSafeRefName } from './refs.ts'
import type { Ref } from './refs.ts'
import { comparePaths } from './repo-path.ts'
import type { Advertised, RemoteTransport } from './remote-transport.ts'
import type { RemoteUrl } from './remote-url.ts'

interface Options {
  readonly signal?: AbortSignal | undefined
}

/** What the transport needs. */
export interface IsoTransportParts {
  readonly remote: Extract<RemoteUrl, { readonly kind: 'remote' }>
  readonly access: RemoteAccess
  readonly credentials: Credentials | undefined
}

const defaultTimeoutMs = 600_000
/** isomorphic-git wants a refspec; this one matches nothing. */
const noRefs = '+refs/plumbline/none/*:refs/plumbline/none/*'

/** Reaches http and https remotes where there is no git binary. */
export class IsoTransport implements RemoteTransport {
  private readonly parts: IsoTransportParts

  constructor(parts: IsoTransportParts) {
    this.parts = parts
  }

  advertised(options: Options): Promise<Advertised> {
    return this.withClient(options, async (http) => {
      const url = this.parts.remote.url
      const all = await listServerRefs({ http, url, symrefs: true, protocolVersion: 2 })
      const refs = all
        .filter(({ ref }) => /^refs\/(?:heads|tags)\//.test(ref))
        .map(({ ref, oid }) => ({ name: ref, id: oid }))
      const head = all.find(({ ref }) => ref === 'HEAD')
      return { refs, head: head?.target ?? head?.oid }
    })
  }

  /** A bare repository as `git init --bare` leaves it, so that git takes it over when it is installed later. */
  async create(gitDir: string): Promise<void> {
    for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
      await mkdir(join(gitDir, folder), { recursive: true })
    }
    await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n')
    await writeFile(join(gitDir, 'config'), '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n')
  }

  /**
   * isomorphic-git brings the objects; the refs are written here, since it leaves moved tags where they were and
   * stumbles over the peeled ones that a remote lists.
   */
  async fetch(gitDir: string, { refs }: Advertised, options: Options): Promise<void> {
    const { url } = this.parts.remote
    await setConfig({ fs, gitdir: gitDir, path: 'remote.origin.url', value: url })
    await setConfig({ fs, gitdir: gitDir, path: 'remote.origin.fetch', value: noRefs })
    await this.withClient(options, (http) => fetch({ fs, http, gitdir: gitDir, url, remote: 'origin', tags: true }))
    await replaceRefs(gitDir, refs, options)
  }

  async fetchOne(gitDir: string, wanted: string, keepAs: string, options: Options): Promise<void> {
    const { url } = this.parts.remote
    const { fetchHead } = await this.withClient(options, (http) =>
      fetch({ fs, http, gitdir: gitDir, url, remote: 'origin', ref: wanted, remoteRef: wanted, singleBranch: true }),
    )
    if (fetchHead === null) throw new GitError('unknown-revision', `${url} has no ${wanted}`)
    await writeRef({ fs, gitdir: gitDir, ref: keepAs, value: fetchHead, force: true })
  }

  private async withClient<T>({ signal }: Options, work: (http: HttpsClient) => Promise<T>): Promise<T> {
    const { access, credentials, remote } = this.parts
    throwIfAborted(signal)
    const certificates = await access.certificatesFor?.(remote.url)
    const timeoutMs = access.timeoutMs ?? defaultTimeoutMs
    const run = async (own: AbortSignal): Promise<T> => {
      const http = httpsClient({
        proxy: access.proxy,
        certificates,
        authorization: authorization(credentials),
        signal: own,
      })
      try {
        return await work(http)
      } finally {
        await http.close()
      }
    }
    try {
      return await withTimeout(timeoutMs, run, { signal, what: `the fetch of ${remote.url}` })
    } catch (error) {
      throw fetchError(error, remote.url)
    }
  }
}

/** Packs the refs into one file and removes the loose ones, so that `a` may follow a deleted `a/b`. */
async function replaceRefs(gitDir: string, refs: readonly Ref[], { signal }: Options): Promise<void> {
  const store = new RefStore(await discoverRepository(gitDir))
  const others = (await store.list('refs/')).filter(({ name }) => !/^refs\/(?:heads|tags)\//.test(name))
  const kept: Ref[] = [...others]
  const cache = {}
  for (const ref of refs) {
    throwIfAborted(signal)
    // What the remote moved between its list and its pack is left for the next fetch.
    const there = await readObject({ fs, gitdir: gitDir, oid: ref.id, format: 'deflated', cache }).catch(
      () => undefined,
    )
    if (there !== undefined && isSafeRefName(ref.name)) kept.push(ref)
  }
  const lines = kept.sort((a, b) => comparePaths(a.name, b.name)).map(({ id, name }) => `${id} ${name}\n`)
  const file = join(gitDir, 'packed-refs')
  await writeFile(`${file}.new`, lines.join(''))
  await rename(`${file}.new`, file)
  for (const folder of ['refs/heads', 'refs/tags']) {
    await rm(join(gitDir, folder), { recursive: true, force: true })
    await mkdir(join(gitDir, folder))
  }
}

function fetchError(error: unknown, url: string): unknown {
  if (GitError.is(error) || isCancelled(error)) return error
  if (TimedOutError.is(error)) return new GitError('timed-out', error.message, error)
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === 'NotFoundError' || code === 'NoRefspecError')
    return new GitError('unknown-revision', String(message), error)
  if (code === 'SmartHttpError')
    return new GitError('repository-not-found', `${url} does not speak Git's protocol`, error)
  return new GitError('unusable', `${url} could not be fetched: ${String(message)}`, error)
}
