import test from 'node:test'
import type { TestContext } from 'node:test'
import assert from 'node:assert/strict'
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isCancelled } from '../../shared/base/abort.ts'
import type { RemoteAccess } from '../../shared/git/credentials.ts'
import { GitError } from '../../shared/git/git-error.ts'
import { createSource } from '../../shared/git/source.ts'
import type { GitSource, SourceOptions } from '../../shared/git/source.ts'
import type { Checkout } from '../../shared/model/ports.ts'
import { scaffoldRepository } from '../support/scaffold-repository.ts'
import type { Scaffold } from '../support/scaffold-repository.ts'
import { history, missing, rejectsWith } from './each-reader.ts'
import { selfSigned, serveGit, serveProxy } from './http-git-server.ts'
import type { Certificate, GitServer, GitServerOptions } from './http-git-server.ts'

interface Setting {
  readonly made: Scaffold
  readonly server: GitServer
  readonly url: string
  readonly source: (options?: Partial<SourceOptions>) => Promise<GitSource>
  readonly certificate: Certificate | undefined
}

/** Both ways to a remote: the git binary, and isomorphic-git over our own client. */
function both(
  behaviour: string,
  check: (setting: Setting, t: TestContext) => Promise<void>,
  options: Partial<GitServerOptions> & { readonly secure?: boolean } = {},
): void {
  for (const git of [undefined, 'none']) {
    test(`${behaviour} (${git === undefined ? 'git' : 'isomorphic-git'})`, { skip: missing ?? false }, async (t) => {
      const made = await scaffoldRepository()
      await history(made)
      await mkdir(made.beside('srv'))
      await mkdir(made.beside('plain'))
      await made.git('clone', '--quiet', '--bare', made.folder, made.beside('srv/app.git'))
      await made.git('-C', made.beside('srv/app.git'), 'config', 'uploadpack.allowAnySHA1InWant', 'true')
      const certificate = options.secure === true ? await selfSigned(made.beside('.')) : undefined
      if (options.secure === true && certificate === undefined) t.skip('skipped: no openssl on PATH')
      const tls = certificate === undefined ? {} : { tls: certificate }
      const server = await serveGit({ folder: made.beside('srv'), ...options, ...tls })
      const sources: GitSource[] = []
      const source = async (more: Partial<SourceOptions> = {}): Promise<GitSource> => {
        const cacheFolder = made.beside('cache/git')
        const one = await createSource({ workspace: made.beside('plain'), cacheFolder, git, freshMs: 0, ...more })
        sources.push(one)
        return one
      }
      try {
        await check({ made, server, source, certificate, url: `${server.url}/app.git` }, t)
      } finally {
        await Promise.all(sources.map((one) => one.dispose()))
        await server.close()
        await made.dispose()
      }
    })
  }
}

const at = (source: GitSource, repoURL: string, targetRevision = 'HEAD'): Promise<Checkout> =>
  source.resolve({ repoURL, targetRevision, path: '' }, {})

async function push(made: Scaffold, ...refs: readonly string[]): Promise<void> {
  await made.git('push', '--quiet', '--force', made.beside('srv/app.git'), ...refs)
}

both('a remote is mirrored once and then followed', async ({ made, server, source, url }) => {
  const one = await source()
  const first = await at(one, url)
  assert.equal(first.revision.sha, await made.git('rev-parse', 'main'))
  assert.deepEqual(await first.list(''), await listed(made, 'main'))
  assert.equal((await at(one, url, 'v1')).revision.sha, await made.git('rev-parse', 'v1^{commit}'))
  assert.equal((await at(one, url, 'feature/x')).revision.sha, await made.git('rev-parse', 'feature/x'))
  await made.write({ 'apps/web/new.yaml': 'kind: ConfigMap\n' })
  const sha = await made.commit('Third')
  await push(made, 'main', ':feature/x', 'HEAD:refs/heads/feature')
  assert.equal((await at(one, url, 'main')).revision.sha, sha)
  assert.equal((await at(one, url, 'feature')).revision.sha, sha)
  await rejectsWith(at(one, url, 'feature/x'), 'unknown-revision')
  // A rewritten branch is followed too.
  await made.git('reset', '--quiet', '--hard', 'HEAD~2')
  await push(made, 'main')
  assert.equal((await at(one, url)).revision.sha, await made.git('rev-parse', 'HEAD'))
  const before = server.requests.length
  assert.equal((await at(one, url, sha)).revision.sha, sha)
  assert.equal(server.requests.length, before, 'a whole sha that is there asks nobody')
  assert.ok(server.requests.every(({ line }) => !line.includes('receive-pack')))
})

both('a fresh mirror asks nobody until it is told to', async ({ made, server, source, url }) => {
  const one = await source({ freshMs: 60_000 })
  await at(one, url)
  const asked = server.requests.length
  await made.write({ x: 'x' })
  const sha = await made.commit('Third')
  await push(made, 'main')
  assert.notEqual((await at(one, url)).revision.sha, sha)
  // Another process with the same cache folder has nothing to ask either.
  assert.notEqual((await at(await source({ freshMs: 60_000 }), url)).revision.sha, sha)
  assert.equal(server.requests.length, asked)
  one.expire()
  assert.equal((await at(one, url)).revision.sha, sha)
})

both('a commit or ref that no branch holds is fetched by itself', async ({ made, source, url }) => {
  const one = await source()
  await at(one, url)
  await made.git('checkout', '--quiet', '--detach')
  await made.write({ lonely: 'x' })
  const sha = await made.commit('Lonely')
  await push(made, 'HEAD:refs/pull/7/head')
  assert.equal((await at(one, url, 'refs/pull/7/head')).revision.sha, sha)
  await rejectsWith(at(one, url, 'refs/pull/8/head'), 'unknown-revision')
  await rejectsWith(at(one, url, '0'.repeat(40)), 'unknown-revision')
  assert.equal((await at(one, url, sha)).revision.sha, sha)
})

both('two sources in one cache folder do not disturb each other', async ({ made, source, url }) => {
  const all = await Promise.all([source(), source(), source(), source()])
  const expected = await made.git('rev-parse', 'main')
  const shas = await Promise.all(all.flatMap((one) => [at(one, url), at(one, url, 'main')]))
  assert.deepEqual(new Set(shas.map(({ revision }) => revision.sha)), new Set([expected]))
  const names = await readdir(made.beside('cache/git'))
  assert.deepEqual(
    names.filter((name) => !name.endsWith('.git')),
    [],
    'no lock, no leftover',
  )
})

both('a mirror that was damaged is made anew', async ({ made, source, url }) => {
  const first = await source()
  await at(first, url)
  await first.dispose()
  const cache = made.beside('cache/git')
  const [name = ''] = await readdir(cache)
  await rm(join(cache, name, 'objects'), { recursive: true })
  await mkdir(join(cache, name, 'objects'))
  await made.write({ x: 'x' })
  const sha = await made.commit('Third')
  await push(made, 'main')
  const checkout = await at(await source(), url)
  assert.equal(checkout.revision.sha, sha)
  assert.equal((await checkout.list('')).length, 5)
})

const secret = 's3cr&t/пароль'
const basic = `Basic ${Buffer.from(`joe:${secret}`).toString('base64')}`
const withPassword = (password: string): RemoteAccess => ({
  credentialsFor: async () => ({ kind: 'basic', username: 'joe', password }),
})

both(
  'credentials open a closed remote, and wrong ones are told so without being told',
  async ({ made, server, source, url }) => {
    const expected = await made.git('rev-parse', 'main')
    assert.equal((await at(await source({ access: withPassword(secret) }), url)).revision.sha, expected)
    await rm(made.beside('cache'), { recursive: true })
    for (const access of [{}, withPassword('wr0ng-one')]) {
      await assert.rejects(at(await source({ access }), url), (error) => {
        assert.ok(GitError.is(error, 'auth-failed'), String(error))
        assert.equal(`${error.message} ${String(error.cause)} ${error.stack}`.includes('wr0ng-one'), false)
        return true
      })
    }
    const inUrl = url.replace('://', `://joe:${encodeURIComponent(secret)}@`)
    assert.equal((await at(await source(), inUrl)).revision.sha, expected)
    const [name = ''] = await readdir(made.beside('cache/git'))
    assert.equal((await readFile(join(made.beside('cache/git'), name, 'config'), 'utf8')).includes('joe'), false)
    assert.ok(server.requests.some(({ authorization }) => authorization === basic))
  },
  { authorization: basic },
)

both('what the server answers decides the reason', async ({ server, source, url }) => {
  const table = [
    [401, 'auth-failed'],
    [403, 'forbidden'],
    [404, 'repository-not-found'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ] as const
  for (const [status, reason] of table) {
    server.intercept = (_, response) => {
      response.writeHead(status).end('no')
      return true
    }
    await rejectsWith(at(await source(), url), reason, /127\.0\.0\.1/)
  }
  server.intercept = (request) => {
    request.socket.destroy()
    return true
  }
  await rejectsWith(at(await source(), url), 'unreachable')
  await server.close()
  await rejectsWith(at(await source(), url), 'unreachable')
})

both('a server that hangs is given up by time or by cancel', async ({ server, source, url }) => {
  server.intercept = () => true
  await rejectsWith(at(await source({ access: { timeoutMs: 300 } }), url), 'timed-out')
  const controller = new AbortController()
  const waiting = (await source()).resolve(
    { repoURL: url, targetRevision: '', path: '' },
    { signal: controller.signal },
  )
  setTimeout(() => controller.abort(), 200)
  await assert.rejects(waiting, isCancelled)
})

both('a password never follows a redirect to another host', async ({ made, server, source, url }) => {
  const other = await serveGit({ folder: made.beside('srv') })
  server.intercept = (request, response) => {
    response.writeHead(302, { location: `${other.url.replace('127.0.0.1', 'localhost')}${request.url}` }).end()
    return true
  }
  await at(await source({ access: withPassword('abc-secret') }), url).catch(() => undefined)
  assert.ok(other.requests.length > 0)
  assert.ok(other.requests.every(({ authorization }) => authorization === undefined))
  await other.close()
})

both(
  'a certificate of one’s own authority is trusted when it is given, and only then',
  async ({ made, source, url, certificate }) => {
    if (certificate === undefined) return
    await rejectsWith(at(await source(), url), 'certificate')
    const certificatesFor = async (): Promise<string> => certificate.cert
    const checkout = await at(await source({ access: { certificatesFor } }), url)
    assert.equal(checkout.revision.sha, await made.git('rev-parse', 'main'))
  },
  { secure: true },
)

both('a proxy carries everything when one is set', async ({ made, source, url }) => {
  const proxy = await serveProxy()
  const checkout = await at(await source({ access: { proxy: proxy.url } }), url)
  assert.equal(checkout.revision.sha, await made.git('rev-parse', 'main'))
  assert.ok(proxy.targets.length > 0)
  await proxy.close()
})

both('an empty remote has no commit yet, and then it has', async ({ made, source, server }) => {
  await made.git('init', '--quiet', '--bare', '--initial-branch=trunk', made.beside('srv/empty.git'))
  const one = await source()
  await rejectsWith(at(one, `${server.url}/empty.git`), 'unknown-revision')
  await made.git('push', '--quiet', made.beside('srv/empty.git'), 'main:trunk')
  assert.equal((await at(one, `${server.url}/empty.git`)).revision.sha, await made.git('rev-parse', 'main'))
})

both('a remote of the open repository is read from the clone, offline', async ({ made, server, source, url }) => {
  await made.git('remote', 'add', 'origin', 'git@Example.com:Team/App.git')
  await made.git('remote', 'add', 'local', url)
  const one = await source({ workspace: join(made.folder, 'apps') })
  await server.close()
  for (const repoURL of [
    'https://example.com/team/app',
    'ssh://git@example.com/team/app.git',
    url,
    '.',
    made.folder,
    `file://${made.folder}`,
  ]) {
    const checkout = await at(one, repoURL, 'WORKTREE')
    assert.equal(checkout.revision.sha, await made.git('rev-parse', 'HEAD'), repoURL)
  }
  await rejectsWith(at(one, 'https://127.0.0.1:1/other.git', 'WORKTREE'), 'unknown-revision')
  await rejectsWith(at(one, 'https://127.0.0.1:1/other.git'), 'unreachable')
  await rejectsWith(at(one, 'ext::sh -c id'), 'unsupported')
  const chart = { repoURL: 'https://charts.example.com', targetRevision: '1', path: '', chart: 'x' }
  await rejectsWith(one.resolve(chart, {}), 'unsupported', /Helm/)
  assert.equal(one.root, made.folder)
})

both('a local bare repository is read in place', async ({ made, source }) => {
  const one = await source()
  await cp(made.beside('srv/app.git'), made.beside('copy.git'), { recursive: true })
  const checkout = await at(one, made.beside('copy.git'), 'main')
  assert.equal((await checkout.list('')).length, 4)
  await assert.rejects(readdir(made.beside('cache')), 'nothing is mirrored')
  await writeFile(made.beside('file'), '')
  await rejectsWith(at(one, made.beside('plain')), 'not-a-repository')
})

async function listed(made: Scaffold, revision: string): Promise<readonly unknown[]> {
  return (await made.git('ls-tree', '-r', revision)).split('\n').map((line) => {
    const [, , id = '', path = ''] = line.split(/[ \t]/)
    return { path, kind: 'file', id }
  })
}
