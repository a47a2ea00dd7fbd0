import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import type { Rehearsal } from '../../shared/model/rehearsal.ts'
import { assertRefused } from '../support/line-assert.ts'
import { plumbline, type CliOptions, type CliResult } from '../support/line-cli.ts'
import { applicationFile, configMap } from '../support/line-workspace.ts'
import { scaffoldRepository, type Scaffold } from '../support/scaffold-repository.ts'
import { deployment, hook, job } from '../support/sync-objects.ts'
import { embeddedServer } from '../support/test-servers.ts'

const server = embeddedServer('the embedded server with its controllers', true)

type Place = {
  readonly scaffold: Scaffold
  readonly kubeconfig: string
  readonly run: (argv: readonly string[], options?: Partial<CliOptions>) => Promise<CliResult>
}

/** A repository with the application `shop` on an embedded server, and a state folder that lasts as long as the test. */
async function place(t: TestContext): Promise<Place> {
  const [scaffold, { kubeconfig }, state] = await Promise.all([
    scaffoldRepository(),
    server.start(t),
    mkdtemp(path.join(tmpdir(), 'plumbline-state-')),
  ])
  t.after(async () => Promise.all([scaffold.dispose(), rm(state, { recursive: true, force: true })]))
  await scaffold.write({ 'app.yaml': applicationFile({ name: 'shop' }), ...files(deployment('web')) })
  await scaffold.commit('Begin')
  const run: Place['run'] = async (argv, options = {}) =>
    plumbline([...argv, '--kubeconfig', kubeconfig], {
      cwd: scaffold.folder,
      ...options,
      env: { XDG_STATE_HOME: state, ...options.env },
    })
  return { scaffold, kubeconfig, run }
}

function files(...objects: readonly object[]): Readonly<Record<string, string>> {
  return {
    'shop/settings.yaml': configMap('settings'),
    'shop/more.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
  }
}

const reportOf = ({ stdout }: CliResult): Rehearsal => JSON.parse(stdout) as Rehearsal

test('app rehearse says what a sync would do, and how it ends', async (t) => {
  const { run, scaffold } = await place(t)
  const passed = await run(['app', 'rehearse', 'shop'])
  assert.equal(passed.code, 0, passed.stderr)
  assert.match(passed.stdout, /wave 0 {2}\+ created {2}Deployment shop\/web/)
  assert.match(passed.stdout, /✓ shop would succeed: create 3/)
  await scaffold.write(files(deployment('web'), job('migrate', hook('PreSync'), 'fail')))
  const failed = await run(['app', 'rehearse', 'shop', '--worktree', '-o', 'json'])
  assert.equal(failed.code, 1, failed.stderr)
  const { steps, passed: ok, failures } = reportOf(failed)
  assert.equal(ok, false)
  assert.match(failures[0] ?? '', /PreSync hook Job .*migrate failed/)
  assert.equal(steps.find(({ id }) => id.kind === 'Deployment')?.result.kind, 'not-reached')
  const committed = await run(['app', 'rehearse', 'shop', '-o', 'markdown'])
  assert.match(committed.stdout, /^### ✅ Rehearsal of `shop`/)
})

test('what is told to fail fails, and only that', async (t) => {
  const { run, scaffold } = await place(t)
  await scaffold.write(files(deployment('web', {}, { image: 'shop/web:2' }), job('check', hook('PostSync'))))
  const cases = [
    { fail: 'image=shop/*', says: /Deployment shop\/web ends Degraded|timed out progressing|is degraded/ },
    { fail: 'hook=check', says: /PostSync hook Job .*check failed/ },
    { fail: 'quota=shop', says: /ends Degraded|is degraded|check failed|timed out/ },
    { fail: 'not-ready=web', says: /timed out progressing/ },
    { fail: 'crash=web', says: /timed out progressing/ },
    { fail: 'image=nothing-like-it', says: undefined },
  ]
  for (const { fail, says } of cases) {
    const result = await run(['app', 'rehearse', 'shop', '--worktree', '--fail', fail, '-o', 'json'])
    const { failures, passed } = reportOf(result)
    assert.equal(passed, says === undefined, `${fail}: ${failures.join('; ')}`)
    if (says !== undefined) assert.match(failures.join('\n'), says, fail)
  }
})

test('a sync that asks for a rehearsal runs exactly what was rehearsed', async (t) => {
  const { run, scaffold } = await place(t)
  const sync = ['app', 'sync', 'shop', '--require-rehearsal']
  assertRefused(await run(sync), { says: 'this plan of shop was not rehearsed', next: 'plumbline app rehearse shop' })
  await run(['app', 'rehearse', 'shop'])
  const done = await run(sync)
  assert.equal(done.code, 0, done.stderr)
  assert.match(done.stderr, /rehearsed at .*: would succeed: create 3/)
  await scaffold.write(files(deployment('web', {}, { image: 'shop/web:2' })))
  await scaffold.commit('Change')
  assertRefused(await run(sync), { says: 'the plan has moved since it was rehearsed' })
  await run(['app', 'rehearse', 'shop', '--fail', 'not-ready=web'])
  assertRefused(await run(sync), { says: 'the plan has moved since it was rehearsed' })
  // With prune it is another plan.
  await run(['app', 'rehearse', 'shop', '--prune'])
  assertRefused(await run(sync), { says: 'the plan has moved since it was rehearsed' })
  await scaffold.write(files(job('never', hook('PreSync'), 'fail')))
  await scaffold.commit('Break')
  await run(['app', 'rehearse', 'shop'])
  assertRefused(await run(sync), { says: 'the rehearsal of this plan did not pass' })
})

function secret(value: string): object {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, stringData: { password: value } }
}

test('a recording rehearses without the cluster; the same Secret does not differ, another does', async (t) => {
  const { run, scaffold } = await place(t)
  await scaffold.write(files(secret('hunter2')))
  await scaffold.commit('Add a Secret')
  await run(['app', 'sync', 'shop'])
  const file = path.join(scaffold.folder, 'shop.recording.json')
  const recorded = await run(['app', 'rehearse', 'shop', '--record', file])
  assert.match(recorded.stderr, /recorded \d+ objects/)
  const text = await readFile(file, 'utf8')
  assert.ok(!text.includes('hunter2') && !text.includes(Buffer.from('hunter2').toString('base64')))
  const offline = ['app', 'rehearse', 'shop', '--from', file, '--worktree', '-o', 'json', '--kubeconfig', '/nowhere']
  const kindsOf = async (): Promise<readonly string[]> => {
    const result = await run(offline)
    assert.notEqual(result.code, 2, result.stderr)
    return reportOf(result).steps.map(({ id, result: { kind } }) => `${id.kind} ${kind}`)
  }
  assert.deepEqual(await kindsOf(), [])
  await scaffold.write(files(secret('another')))
  assert.deepEqual(await kindsOf(), ['Secret changed'])
  // On another machine the key is not there: it is said that nobody can know.
  const stranger = await mkdtemp(path.join(tmpdir(), 'plumbline-state-'))
  t.after(() => rm(stranger, { recursive: true, force: true }))
  const elsewhere = reportOf(await run(offline, { env: { XDG_STATE_HOME: stranger } }))
  assert.deepEqual(elsewhere.unknowns.filter(({ kind }) => kind === 'secret').length, 1)
})

test('--keep leaves the cluster up to look inside, until it is interrupted', async (t) => {
  const { run } = await place(t)
  let seen = ''
  let config = ''
  const result = await run(['app', 'rehearse', 'shop', '--keep'], {
    onStart: (child) =>
      child.stderr?.on('data', (chunk: Buffer) => {
        seen += chunk.toString()
        const found = /KUBECONFIG=(\S+)\n/.exec(seen)?.[1]
        if (found === undefined || config !== '') return
        config = readFileSync(found, 'utf8')
        child.kill('SIGINT')
      }),
  })
  assert.match(config, /server: https:\/\/127\.0\.0\.1:\d+/)
  assert.match(result.stdout, /would succeed/)
  const file = /KUBECONFIG=(\S+)/.exec(seen)?.[1] ?? ''
  assert.equal(existsSync(file), false, 'what was kept is gone with the command')
})

test('two revisions are compared', async (t) => {
  const { run, scaffold } = await place(t)
  await scaffold.git('branch', 'other')
  await scaffold.write(files(deployment('web'), deployment('worker')))
  const result = await run(['app', 'rehearse', 'shop', '--worktree', '--compare', 'other'])
  assert.equal(result.code, 0, result.stderr)
  assert.match(result.stdout, /Deployment shop\/worker: created with WORKTREE@\w+, no step with other@\w+/)
})

test('bad input gets one clear line', async (t) => {
  const { run, scaffold } = await place(t)
  const broken = path.join(scaffold.folder, 'broken.json')
  await writeFile(broken, '{}')
  const cases: readonly (readonly [readonly string[], Parameters<typeof assertRefused>[1]])[] = [
    [['--fail', 'disk=full'], { says: 'there is no failure disk', next: /what can be made to fail: image=GLOB/ }],
    [['--from', broken], { says: 'is not a recording of a cluster' }],
    [['--from', broken, '--record', broken], { says: '--record and --from exclude each other' }],
    [['--on', 'no-such-context'], { says: 'there is no context "no-such-context"' }],
    [['--on', 'kind', '--fail', 'image=*'], { says: 'only the embedded cluster can be made to fail' }],
    [['--revision', 'no-such-branch'], { says: 'no-such-branch' }],
  ]
  for (const [argv, refusal] of cases) assertRefused(await run(['app', 'rehearse', 'shop', ...argv]), refusal)
  assertRefused(await run(['app', 'rehearse', 'nothing']), { says: 'there is no application nothing' })
})

test('a kind cluster that cannot be made is said with the reason, and the embedded one offered', async (t) => {
  const { run } = await place(t)
  const tools = await mkdtemp(path.join(tmpdir(), 'plumbline-tools-'))
  t.after(() => rm(tools, { recursive: true, force: true }))
  // git alone: neither kind nor a container engine.
  const git = (process.env['PATH'] ?? '').split(path.delimiter).find((folder) => existsSync(path.join(folder, 'git')))
  if (git === undefined) return t.skip('skipped: no git on PATH')
  await symlink(path.join(git, 'git'), path.join(tools, 'git'))
  const result = await run(['app', 'rehearse', 'shop', '--on', 'kind'], { env: { PATH: tools } })
  assertRefused(result, { says: 'a kind cluster cannot be had: ', next: 'leave --on away' })
})

test('a cluster that does not answer is said, with the recording as a way out', async (t) => {
  const { scaffold, kubeconfig } = await place(t)
  const dead = path.join(scaffold.folder, 'dead-kubeconfig')
  const text = await readFile(kubeconfig, 'utf8')
  await writeFile(dead, text.replace(/https:\/\/127\.0\.0\.1:\d+/, 'https://127.0.0.1:1'))
  const result = await plumbline(['app', 'rehearse', 'shop', '--kubeconfig', dead], { cwd: scaffold.folder })
  assertRefused(result, { says: /refused|reach/, next: /--from FILE/ })
})
