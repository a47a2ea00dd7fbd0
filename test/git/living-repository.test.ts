import test from 'node:test'
import assert from 'node:assert/strict'
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { run, start } from '../../shared/base/process.ts'
import { withFileLock } from '../../shared/git/file-lock.ts'
import { openRepository } from '../../shared/git/repository.ts'
import { createSource } from '../../shared/git/source.ts'
import { scaffoldRepository } from '../support/scaffold-repository.ts'
import { git, history, missing, rejectsWith } from './each-reader.ts'
import { serveGit } from './http-git-server.ts'

const skip = missing ?? false
const lockModule = pathToFileURL(join(import.meta.dirname, '../../shared/git/file-lock.ts')).href
const sourceModule = pathToFileURL(join(import.meta.dirname, '../../shared/git/source.ts')).href

for (const reader of [git, undefined]) {
  const name = reader === undefined ? 'no git' : 'git'
  test(`an open repository sees commits, repacks and moved branches (${name})`, { skip }, async () => {
    const made = await scaffoldRepository()
    await history(made)
    const repository = await openRepository(made.folder, { git: reader })
    const first = await repository.resolve('main')
    await (await repository.checkout(first)).read('README')
    for (let round = 0; round < 3; round += 1) {
      await made.write({ README: `round ${round}\n` })
      const sha = await made.commit(`Round ${round}`)
      await made.git('gc', '--quiet', '--prune=now')
      const checkout = await repository.checkout(await repository.resolve('main'))
      assert.equal(checkout.revision.sha, sha)
      assert.equal(Buffer.from(await checkout.read('README')).toString(), `round ${round}\n`)
    }
    await made.git('reset', '--quiet', '--hard', first.sha)
    assert.equal((await repository.resolve('main')).sha, first.sha)
    await rm(made.folder, { recursive: true })
    await rejectsWith(repository.resolve('main'), 'not-a-repository', /no longer/)
    await repository.dispose()
    await made.dispose()
  })
}

test('what the environment says of another repository changes nothing', { skip }, async () => {
  const made = await scaffoldRepository()
  await history(made)
  const decoy = await made.sibling('decoy')
  const before = { ...process.env }
  Object.assign(process.env, {
    GIT_DIR: join(decoy.folder, '.git'),
    GIT_WORK_TREE: decoy.folder,
    GIT_INDEX_FILE: join(decoy.folder, 'no-index'),
    GIT_OBJECT_DIRECTORY: join(decoy.folder, 'nowhere'),
  })
  try {
    const repository = await openRepository(made.folder, { git })
    const disk = await repository.checkout(await repository.resolve('WORKTREE'))
    assert.equal(await disk.treeId(''), await (await repository.checkout(await repository.resolve('HEAD'))).treeId(''))
    await repository.dispose()
  } finally {
    for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY']) delete process.env[name]
    Object.assign(process.env, before)
    await made.dispose()
  }
})

test('a reader that nobody uses or disposes lets the process end', { skip }, async () => {
  const made = await scaffoldRepository()
  await history(made)
  const code = `
    const { createSource } = await import(${JSON.stringify(sourceModule)})
    const source = await createSource({ workspace: ${JSON.stringify(made.folder)} })
    const checkout = await source.resolve({ repoURL: '.', targetRevision: 'HEAD', path: '' }, {})
    process.stdout.write(String((await checkout.list('')).length))`
  const began = performance.now()
  const done = await run(process.execPath, ['--input-type=module', '-e', code], { timeoutMs: 20_000 })
  assert.equal(done.kind === 'exited' && done.stdout.toString(), '4')
  assert.ok(performance.now() - began < 10_000)
  await made.dispose()
})

test('a lock is held by one, waited for, and taken over from the dead', async (t) => {
  const made = await scaffoldRepository().catch(() => undefined)
  if (made === undefined) return t.skip('skipped: no git on PATH')
  const file = made.beside('x.lock')
  let inside = 0
  let most = 0
  const work = async (): Promise<void> => {
    inside += 1
    most = Math.max(most, inside)
    await new Promise((resolve) => void setTimeout(resolve, 5))
    inside -= 1
  }
  await Promise.all(Array.from({ length: 6 }, () => withFileLock(file, work)))
  assert.equal(most, 1)
  await assert.rejects(stat(file))
  // A holder killed in the middle.
  const code = `
    const { withFileLock } = await import(${JSON.stringify(lockModule)})
    await withFileLock(${JSON.stringify(file)}, () => { process.stdout.write('held'); return new Promise(() => setInterval(() => {}, 1000)) })`
  const held = Promise.withResolvers<void>()
  const holder = start(process.execPath, ['--input-type=module', '-e', code], { onStdout: () => held.resolve() })
  await held.promise
  await rejectsWith(withFileLock(file, work, { waitMs: 200 }), 'locked', new RegExp(String(holder.pid)))
  process.kill(holder.pid ?? 0, 'SIGKILL')
  await holder.done
  await withFileLock(file, work, { waitMs: 5000 })
  // A holder on another machine shows its life by the file's time.
  await writeFile(file, JSON.stringify({ pid: 1, host: 'elsewhere', token: 'x' }))
  await rejectsWith(withFileLock(file, work, { waitMs: 100 }), 'locked')
  const old = new Date(Date.now() - 120_000)
  await utimes(file, old, old)
  await withFileLock(file, work, { waitMs: 5000 })
  await made.dispose()
})

test('a fetch that was killed leaves a mirror that the next one repairs', { skip }, async (t) => {
  const made = await scaffoldRepository()
  t.after(() => made.dispose())
  await history(made)
  await mkdir(made.beside('srv'))
  await made.git('clone', '--quiet', '--bare', made.folder, made.beside('srv/app.git'))
  const server = await serveGit({ folder: made.beside('srv') })
  t.after(() => server.close())
  const options = { workspace: made.beside('.'), cacheFolder: made.beside('cache'), freshMs: 0 }
  const code = `
    const { createSource } = await import(${JSON.stringify(sourceModule)})
    const source = await createSource(${JSON.stringify(options)})
    process.stdout.write('go')
    for (;;) await source.resolve({ repoURL: ${JSON.stringify(`${server.url}/app.git`)}, targetRevision: 'main', path: '' }, {})`
  for (const delay of [5, 20, 40, 80, 160, 320]) {
    const begun = Promise.withResolvers<void>()
    const child = start(process.execPath, ['--input-type=module', '-e', code], { onStdout: () => begun.resolve() })
    await begun.promise
    await made.write({ x: String(delay) })
    const sha = await made.commit(`At ${delay}`)
    await made.git('push', '--quiet', made.beside('srv/app.git'), 'main')
    await new Promise((resolve) => void setTimeout(resolve, delay))
    process.kill(child.pid ?? 0, 'SIGKILL')
    await child.done
    const source = await createSource(options)
    const found = await source.resolve({ repoURL: `${server.url}/app.git`, targetRevision: 'main', path: '' }, {})
    assert.equal(found.revision.sha, sha)
    assert.equal((await found.list('')).length, 5)
    await source.dispose()
  }
})

test('a remote with SHA-256 objects, or with a detached head, is mirrored as it is', { skip }, async (t) => {
  const made = await scaffoldRepository({ objectFormat: 'sha256' })
  t.after(() => made.dispose())
  await history(made)
  await mkdir(made.beside('srv'))
  await made.git('clone', '--quiet', '--bare', made.folder, made.beside('srv/app.git'))
  await made.git('-C', made.beside('srv/app.git'), 'update-ref', '--no-deref', 'HEAD', 'v1^{commit}')
  const server = await serveGit({ folder: made.beside('srv') })
  t.after(() => server.close())
  const source = await createSource({ workspace: made.beside('.'), cacheFolder: made.beside('cache'), freshMs: 0 })
  const at = (targetRevision: string): ReturnType<typeof source.resolve> =>
    source.resolve({ repoURL: `${server.url}/app.git`, targetRevision, path: '' }, {})
  assert.equal((await at('main')).revision.sha, await made.git('rev-parse', 'main'))
  assert.equal((await at('HEAD')).revision.sha, await made.git('rev-parse', 'v1^{commit}'))
  await source.dispose()
})

test('an ssh remote is reached by git, with the key that was given and no question asked', { skip }, async (t) => {
  if (process.platform === 'win32') return t.skip('skipped: the double of ssh is a shell script')
  const made = await scaffoldRepository()
  await history(made)
  await made.git('clone', '--quiet', '--bare', made.folder, made.beside('app.git'))
  // A double of ssh: notes its arguments and runs the last one here, as a server would there.
  const bin = made.beside('bin')
  await mkdir(bin)
  const log = made.beside('ssh.log')
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" >> '${log}'\nfor last; do :; done\nexec sh -c "$last"\n`
  await writeFile(join(bin, 'ssh'), script, { mode: 0o755 })
  const path = process.env['PATH']
  process.env['PATH'] = `${bin}:${path}`
  const keyFile = made.beside("it's a key")
  try {
    const source = await createSource({
      workspace: bin,
      cacheFolder: made.beside('cache'),
      access: { credentialsFor: async () => ({ kind: 'ssh-key', keyFile, knownHostsFile: '/k h' }) },
    })
    const repoURL = `git@example.com:${made.beside('app.git')}`
    const checkout = await source.resolve({ repoURL, targetRevision: 'main', path: '' }, {})
    assert.equal(checkout.revision.sha, await made.git('rev-parse', 'main'))
    await source.dispose()
    const args = (await readFile(log, 'utf8')).split('\n')
    for (const wanted of [
      'BatchMode=yes',
      'IdentitiesOnly=yes',
      keyFile,
      'UserKnownHostsFile=/k h',
      'git@example.com',
    ]) {
      assert.ok(args.includes(wanted), wanted)
    }
    await writeFile(
      join(bin, 'ssh'),
      '#!/bin/sh\necho "git@example.com: Permission denied (publickey)." >&2\nexit 255\n',
    )
    const other = await createSource({ workspace: bin, cacheFolder: made.beside('cache2') })
    await rejectsWith(other.resolve({ repoURL, targetRevision: 'main', path: '' }, {}), 'auth-failed', /publickey/)
    await other.dispose()
    const without = await createSource({ workspace: bin, cacheFolder: made.beside('cache2'), git: 'none' })
    await rejectsWith(without.resolve({ repoURL, targetRevision: 'main', path: '' }, {}), 'no-git-binary', /ssh/)
    await without.dispose()
  } finally {
    process.env['PATH'] = path
    await made.dispose()
  }
})

test('a credential helper of the person answers for the user that the URL names', { skip }, async (t) => {
  const made = await scaffoldRepository()
  t.after(() => made.dispose())
  await history(made)
  await mkdir(made.beside('srv'))
  await made.git('clone', '--quiet', '--bare', made.folder, made.beside('srv/app.git'))
  const authorization = `Basic ${Buffer.from('joe:right').toString('base64')}`
  const server = await serveGit({ folder: made.beside('srv'), authorization })
  t.after(() => server.close())
  const host = server.url.replace('http://', '')
  await writeFile(made.beside('known'), `http://ann:wrong@${host}\nhttp://joe:right@${host}\n`)
  await writeFile(made.beside('config'), `[credential]\n\thelper = store --file=${made.beside('known')}\n`)
  const before = process.env['GIT_CONFIG_GLOBAL']
  process.env['GIT_CONFIG_GLOBAL'] = made.beside('config')
  try {
    const source = await createSource({ workspace: made.beside('srv'), cacheFolder: made.beside('cache') })
    const repoURL = `http://joe@${host}/app.git`
    const found = await source.resolve({ repoURL, targetRevision: 'main', path: '' }, {})
    assert.equal(found.revision.sha, await made.git('rev-parse', 'main'))
    await source.dispose()
    // A password of ours that is refused must not make the person's helper forget theirs.
    const access = { credentialsFor: async () => ({ kind: 'basic', username: 'joe', password: 'stale' }) as const }
    const stale = await createSource({ workspace: made.beside('srv'), cacheFolder: made.beside('cache2'), access })
    await rejectsWith(
      stale.resolve({ repoURL: `${server.url}/app.git`, targetRevision: '', path: '' }, {}),
      'auth-failed',
    )
    await stale.dispose()
  } finally {
    if (before === undefined) delete process.env['GIT_CONFIG_GLOBAL']
    else process.env['GIT_CONFIG_GLOBAL'] = before
  }
  assert.match(await readFile(made.beside('known'), 'utf8'), /joe:right/)
})
