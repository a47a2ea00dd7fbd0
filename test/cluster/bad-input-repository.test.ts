import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { assertRefused, type Refusal } from '../support/line-assert.ts'
import { resourceVersions } from '../support/line-objects.ts'
import { applicationFile, configMap, workspace } from '../support/line-workspace.ts'
import { fingerprint, gitIsMissing } from '../support/scaffold-repository.ts'

/** A source that cannot be synced: its files, and what its person is told. */
type Case = Refusal & {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly source?: Readonly<Record<string, unknown>>
  readonly spec?: Readonly<Record<string, unknown>>
  /** True where Git's side is whole and only the server says no. */
  readonly rendered?: boolean
}

const BIG = 50 * 1024 * 1024

const CASES: readonly Case[] = [
  {
    name: 'unknown-revision',
    files: { 'a.yaml': configMap('a') },
    source: { targetRevision: 'v9.9.9' },
    says: /^error: there is no revision "v9\.9\.9"/,
    next: 'git fetch',
  },
  {
    name: 'absent-path',
    files: {},
    says: 'error: there is no folder absent-path in revision HEAD',
    next: 'spec.source.path',
  },
  {
    name: 'path-above',
    files: {},
    source: { path: '../../etc' },
    says: 'error: the source\'s path: "../../etc" leads out of the repository',
    next: 'inside the repository',
  },
  {
    name: 'linked-folder',
    files: {},
    says: 'error: link linked-folder leads out of the repository, to "/etc"',
    next: 'inside the repository',
  },
  {
    name: 'linked-file',
    files: { 'good.yaml': configMap('a') },
    says: 'error: link linked-file/passwd.yaml leads out of the repository, to "/etc/passwd"',
    next: 'inside the repository',
  },
  {
    name: 'broken-yaml',
    files: { 'good.yaml': configMap('a'), 'b.yaml': 'kind: ConfigMap\nmetadata:\n  name: b\n   labels: {}\n' },
    says: /^error: broken-yaml\/b\.yaml:4:10: a key at the same indentation .* was expected$/,
  },
  {
    name: 'tabbed-yaml',
    files: { 'a.yaml': 'kind: ConfigMap\nmetadata:\n\tname: b\n' },
    says: 'error: tabbed-yaml/a.yaml:3:1: indentation must be spaces, but there is a tab',
  },
  {
    name: 'written-twice',
    files: { 'a.yaml': configMap('same', '1'), 'b.yaml': `---\n${configMap('other')}---\n${configMap('same', '2')}` },
    says: 'ConfigMap same is defined twice: at written-twice/a.yaml:1:1 and at written-twice/b.yaml:9:1',
    next: 'remove one of the two',
  },
  {
    name: 'alias-bomb',
    files: { 'a.yaml': aliasBomb() },
    says: /^error: alias-bomb\/a\.yaml:\d+:\d+: aliases multiply this document/,
    next: 'write it smaller',
  },
  {
    name: 'huge-manifest',
    files: { 'a.yaml': `kind: ConfigMap\ndata:\n  key: "${'x'.repeat(BIG)}"\n` },
    says: /^error: huge-manifest\/a\.yaml: .* \d+ bytes, more than is read/,
    next: 'write it smaller',
  },
  {
    name: 'unknown-kind',
    files: { 'a.yaml': 'apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: w\n' },
    says: '✗ Widget unknown-kind/w the server has no Widget in example.com/v1; its definition has to be there first',
    rendered: true,
  },
  {
    name: 'no-namespace',
    files: { 'a.yaml': configMap('a') },
    spec: { syncPolicy: {} },
    says: '✗ ConfigMap no-namespace/a namespaces "no-namespace" not found; make the namespace no-namespace first, or set the sync option CreateNamespace=true',
    rendered: true,
  },
]

function aliasBomb(): string {
  const names = 'abcdefghijk'.split('')
  const lines = names.map((name, index) => {
    const item = index === 0 ? 'x' : `*${names[index - 1]}`
    return `${name}: &${name} [${Array(9).fill(item).join(', ')}]`
  })
  return `${lines.join('\n')}\n`
}

test('what Git holds wrongly is told in one clear line, with what to do, and nothing is lost', async (t) => {
  const skip = await gitIsMissing()
  if (skip !== undefined) return t.skip(skip)
  const files: Record<string, string> = {
    'good/a.yaml': configMap('a'),
    'apps/good.yaml': applicationFile({ name: 'good' }),
  }
  for (const { name, source, spec, files: own } of CASES) {
    files[`apps/${name}.yaml`] = applicationFile({ name, ...(source ? { source } : {}), ...(spec ? { spec } : {}) })
    for (const [file, text] of Object.entries(own)) files[`${name}/${file}`] = text
  }
  const line = await workspace(t, files)
  await line.scaffold.link('linked-folder', '/etc')
  await line.scaffold.link('linked-file/passwd.yaml', '/etc/passwd')
  await line.scaffold.commit('Link out of the repository')
  const before = { files: await fingerprint(line.scaffold.folder), objects: await resourceVersions(line.server) }

  await t.test('one broken application hides none of the others', async () => {
    const list = await line.run(['app', 'list', '-o', 'json'])
    assert.equal(list.code, 0, list.stderr)
    const found = JSON.parse(list.stdout) as readonly Listed[]
    const told = new Map(found.map(({ metadata, status }) => [metadata.name, status.sync.status]))
    const expected = CASES.map(({ name, rendered }) => [name, rendered === true ? 'OutOfSync' : 'Unknown'] as const)
    assert.deepEqual(told, new Map([...expected, ['good', 'OutOfSync'] as const].sort(([a], [b]) => (a < b ? -1 : 1))))
    for (const { name, rendered } of CASES) {
      if (rendered !== true) assert.match(list.stderr, new RegExp(`^${name}: `, 'm'))
    }
  })

  for (const { name, ...refusal } of CASES) {
    await t.test(name, async () => assertRefused(await line.run(['app', 'sync', name]), refusal))
  }

  await t.test('neither the repository nor the cluster was written to', async () => {
    assert.equal(await fingerprint(line.scaffold.folder), before.files)
    // That a sync was tried and failed is on record, in the one namespace that is ours.
    const objects = [...(await resourceVersions(line.server))].filter(([key]) => !/\|plumbline(\||$)/.test(key))
    assert.deepEqual(new Map(objects), before.objects)
  })

  await t.test('the good one is synced', async () => {
    const synced = await line.run(['app', 'sync', 'good'])
    assert.equal(synced.code, 0, synced.stderr)
  })
})

type Listed = {
  readonly metadata: { readonly name: string }
  readonly status: { readonly sync: { readonly status: string } }
}

test('an Application that cannot be read is named with its file, and the others are listed', async (t) => {
  const skip = await gitIsMissing()
  if (skip !== undefined) return t.skip(skip)
  const line = await workspace(t, {
    'apps/good.yaml': applicationFile({ name: 'good' }),
    'apps/no-spec.yaml': 'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: no-spec\n',
    'apps/torn.yaml': 'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: "torn\n',
    'good/a.yaml': configMap('a'),
  })
  const list = await line.run(['app', 'list', '-o', 'name'])
  assert.deepEqual({ code: list.code, stdout: list.stdout }, { code: 0, stdout: 'application/good\n' })
  assert.match(list.stderr, /^warning: apps\/no-spec\.yaml:1:1: application no-spec: spec is missing$/m)
  assert.match(list.stderr, /^warning: apps\/torn\.yaml:\d+:\d+: /m)
  const missing = await line.run(['app', 'get', 'gone'])
  assert.equal(missing.code, 2)
  assert.match(missing.stderr, /^error: there is no application gone\n +there are: good$/m)
})

test('a source that is no Git repository is told so, and what to do', async (t) => {
  const skip = await gitIsMissing()
  if (skip !== undefined) return t.skip(skip)
  const line = await workspace(t, { 'README.md': 'unused' })
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-no-repository-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(path.join(folder, 'app.yaml'), applicationFile({ name: 'loose', source: { path: '.' } }))
  assertRefused(await line.run(['app', 'sync', 'loose'], { cwd: folder }), {
    says: /^error: .* is in no Git repository/,
    next: 'run it inside a Git repository',
  })
})
