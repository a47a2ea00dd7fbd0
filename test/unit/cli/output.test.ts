import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { applicationFile, configMap, workspace, type Workspace } from '../../support/line-workspace.ts'
import { gitIsMissing } from '../../support/scaffold-repository.ts'

const ESCAPE = '\u001B'

async function guestbook(t: TestContext): Promise<Workspace | undefined> {
  const skip = await gitIsMissing()
  if (skip === undefined) {
    return workspace(t, {
      'apps/guestbook.yaml': applicationFile({ name: 'guestbook' }),
      'guestbook/a.yaml': configMap('a'),
      'guestbook/b.yaml': configMap('b'),
    })
  }
  t.skip(skip)
  return undefined
}

test('data goes to stdout in the form asked for, words for people to stderr', async (t) => {
  const line = await guestbook(t)
  if (line === undefined) return
  const stdout = async (argv: readonly string[], code = 0): Promise<string> => {
    const said = await line.run(argv)
    assert.equal(said.code, code, said.stderr)
    assert.equal(said.stdout.includes(ESCAPE), false, 'no colour on a pipe')
    assert.equal(said.stderr.includes(ESCAPE), false)
    return said.stdout
  }

  await t.test('a difference ends with 1, and is told on both', async () => {
    const said = await line.run(['app', 'diff', 'guestbook'])
    assert.equal(said.code, 1, said.stderr)
    assert.match(said.stdout, /ConfigMap/)
    assert.match(said.stderr, /2 missing|3 missing/)
  })
  await t.test('a dry run shows the plan and changes nothing', async () => {
    const planned = JSON.parse(await stdout(['app', 'sync', 'guestbook', '--dry-run', '-o', 'json'])) as {
      readonly steps: readonly { readonly action: string }[]
    }
    assert.deepEqual(new Set(planned.steps.map(({ action }) => action)), new Set(['create']))
    assert.equal((await line.run(['app', 'diff', 'guestbook'])).code, 1)
  })
  await t.test('a sync has nothing for stdout, and tells each step on stderr', async () => {
    const said = await line.run(['app', 'sync', 'guestbook'])
    assert.deepEqual({ code: said.code, stdout: said.stdout }, { code: 0, stdout: '' })
    assert.match(said.stderr, /^✓ ConfigMap guestbook\/a created$/m)
    assert.match(said.stderr, /^guestbook: successfully synced · Synced · Healthy/m)
  })
  await t.test('no difference ends with 0 and an empty stdout', async () => {
    assert.equal(await stdout(['app', 'diff', 'guestbook']), '')
    assert.deepEqual(JSON.parse(await stdout(['app', 'diff', 'guestbook', '-o', 'json'])), [])
  })
  await t.test('-o json is an Argo CD Application, -o yaml the same', async () => {
    const application = JSON.parse(await stdout(['app', 'get', 'guestbook', '-o', 'json'])) as Application
    assert.equal(`${application.apiVersion} ${application.kind}`, 'argoproj.io/v1alpha1 Application')
    assert.equal(application.status.sync.status, 'Synced')
    assert.deepEqual(application.status.resources.map(({ kind, name }) => `${kind} ${name}`).sort(), [
      'ConfigMap a',
      'ConfigMap b',
    ])
    const yaml = await stdout(['app', 'get', 'guestbook', '-o', 'yaml'])
    assert.match(yaml, /^apiVersion: argoproj\.io\/v1alpha1\nkind: Application$/m)
  })
  await t.test('-o name is a line for each, and -o wide is not cut', async () => {
    assert.equal(await stdout(['app', 'list', '-o', 'name']), 'application/guestbook\n')
    assert.match(await stdout(['app', 'list', '-o', 'wide']), /^NAME +SYNC +HEALTH/)
  })
  await t.test('manifests are YAML documents that can be read again', async () => {
    const documents = (await stdout(['app', 'manifests', 'guestbook'])).split(/^---$/m)
    assert.equal(documents.filter((text) => /^kind: ConfigMap$/m.test(text)).length, 2)
  })
})

type Application = {
  readonly apiVersion: string
  readonly kind: string
  readonly status: {
    readonly sync: { readonly status: string }
    readonly resources: readonly { readonly kind: string; readonly name: string }[]
  }
}

test('a wrong call ends with 2, says what is wrong, and keeps stdout for data', async (t) => {
  const line = await guestbook(t)
  if (line === undefined) return
  for (const [argv, says] of [
    [['app', 'sync'], /missing required argument 'name'/],
    [['app', 'lits'], /unknown command 'lits'[\s\S]*Did you mean list\?/],
    [['app', 'list', '-o', 'xml'], /'xml' is invalid\. Allowed choices are table, wide, json, yaml, name/],
    [['app', 'list', '--bogus'], /unknown option '--bogus'/],
    [['app', 'get', 'none'], /there is no application none\n +there are: guestbook/],
  ] as const) {
    const said = await line.run(argv)
    assert.equal(said.code, 2, argv.join(' '))
    assert.equal(said.stdout, '')
    assert.match(said.stderr, says)
    assert.doesNotMatch(said.stderr, /^\s+at /m)
  }
})

test('help is data: on stdout, with examples, and ends with 0', async (t) => {
  const line = await guestbook(t)
  if (line === undefined) return
  for (const argv of [['--help'], ['app', '--help'], ['app', 'sync', '--help'], ['app', 'diff', '--help']]) {
    const said = await line.run(argv)
    assert.deepEqual({ code: said.code, stderr: said.stderr }, { code: 0, stderr: '' }, argv.join(' '))
    assert.match(said.stdout, /^Usage: plumbline/)
  }
  assert.match(
    (await line.run(['app', 'sync', '--help'])).stdout,
    /Examples:\n {2}plumbline app sync guestbook --dry-run/,
  )
})
