import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { plumbline, type CliResult } from '../support/line-cli.ts'
import { Repository, Workshop, missingProgram } from '../support/signature-workshop.ts'
import { embedded, type StartedServer } from '../support/test-servers.ts'

// Invariant 2: where a signature policy covers an application, nothing is applied from a commit that is not verified.

const skip = missingProgram(['git', 'gpg', 'ssh-keygen'])
const UNSIGNED = /ComparisonError: +GIT\/SSH: Failed verifying revision [0-9a-f]{40} by '[^']*': unsigned/

type Scene = {
  readonly repository: Repository
  readonly run: (...words: string[]) => Promise<CliResult>
  readonly server: StartedServer
}

for (const mode of ['head', 'range', 'strict']) {
  test(
    `invariant 2: under mode ${mode} an unsigned revision is refused with its reason, and nothing is applied`,
    { skip },
    async (t) => {
      const { run, repository, server } = await scene(t, { ssh: { mode, principals: ['ada@example.com'] } })
      repository.git(['commit', '-q', '--allow-empty', '-m', 'unsigned'])
      const sync = await run('app', 'sync', 'guarded')
      assert.equal(sync.code, 2, sync.stderr)
      const get = await run('app', 'get', 'guarded')
      assert.match(get.stdout, UNSIGNED)
      assert.equal(await configMapIsThere(server), false)
    },
  )

  test(
    `invariant 2: under mode ${mode} a badly signed revision is refused, and nothing is applied`,
    { skip },
    async (t) => {
      const { run, repository, server } = await scene(t, { ssh: { mode, principals: ['ada@example.com'] } })
      const good = repository.commit(signing(repository), ['-m', 'signed'])
      const tampered = repository.object('commit', good).toString('latin1').replace('\n\nsigned', '\n\nSIGNED')
      repository.git(['update-ref', 'HEAD', repository.write('commit', Buffer.from(tampered, 'latin1'))])
      const sync = await run('app', 'sync', 'guarded')
      assert.equal(sync.code, 2, sync.stderr)
      assert.match(
        (await run('app', 'get', 'guarded')).stdout,
        /GIT\/SSH: Failed verifying revision [0-9a-f]{40} by '[^']*': (bad|invalid)/,
      )
      assert.equal(await configMapIsThere(server), false)
    },
  )

  test(`invariant 2: under mode ${mode} a rightly signed revision is synced`, { skip }, async (t) => {
    const { run, server } = await scene(t, { ssh: { mode, principals: ['ada@example.com'] } })
    const sync = await run('app', 'sync', 'guarded')
    assert.equal(sync.code, 0, sync.stderr)
    assert.equal(await configMapIsThere(server), true)
  })
}

test('invariant 2: uncommitted work is unsigned, and refused', { skip }, async (t) => {
  const { run, server } = await scene(t, { ssh: { mode: 'head', principals: ['ada@example.com'] } })
  const sync = await run('app', 'sync', 'guarded', '--worktree')
  assert.equal(sync.code, 2, sync.stderr)
  assert.match((await run('app', 'get', 'guarded', '--worktree')).stdout, /uncommitted work is unsigned/)
  assert.equal(await configMapIsThere(server), false)
})

test('invariant 2: mode none asks for nothing', { skip }, async (t) => {
  const { run, repository } = await scene(t, { gpg: { mode: 'none', keys: [] } })
  repository.git(['commit', '-q', '--allow-empty', '-m', 'unsigned'])
  assert.equal((await run('app', 'sync', 'guarded')).code, 0)
})

test('invariant 2: an application whose project is missing is refused', { skip }, async (t) => {
  const { run, repository } = await scene(t, { gpg: { mode: 'none', keys: [] } })
  repository.git(['rm', '-q', 'project.yaml'])
  const sync = await run('app', 'sync', 'guarded')
  assert.equal(sync.code, 2)
  assert.match(sync.stderr, /project guarded is not among the AppProject files/)
})

/** A repository whose application is under a policy, its files brought in by commits that Ada signed, and an empty cluster. */
async function scene(t: TestContext, policy: object): Promise<Scene> {
  const workshop = new Workshop()
  t.after(() => workshop.dispose())
  const server = await embedded.start(t)
  const repository = new Repository(workshop, 'repository')
  const spec = { sourceIntegrity: { git: { policies: [{ repos: ['*'], ...policy }] } } }
  const files = {
    'project.yaml': {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'guarded' },
      spec: { ...spec, sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
    },
    'application.yaml': {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'guarded' },
      spec: { project: 'guarded', source: { repoURL: '.', path: 'deploy' }, destination: { namespace: 'default' } },
    },
    'deploy/config.yaml': { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'guarded' }, data: { a: 'b' } },
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(repository.dir, name)), { recursive: true })
    writeFileSync(path.join(repository.dir, name), JSON.stringify(content))
  }
  const key = workshop.sshKey('ada', 'ed25519')
  const keys = workshop.folder('keys')
  writeFileSync(path.join(keys, 'allowed_signers'), `ada@example.com ${workshop.read(`${key}.pub`)}`)
  // The root is signed too: strict asks it of every commit.
  repository.commit(signing(repository), ['--amend', '-m', 'root'])
  repository.git(['add', '--all'])
  repository.commit(signing(repository), ['-m', 'Bring it in'])
  const run = async (...words: string[]): Promise<CliResult> =>
    plumbline([...words, '--kubeconfig', server.kubeconfig], { cwd: repository.dir, env: { PLUMBLINE_KEYS: keys } })
  return { repository, run, server }
}

function signing({ workshop }: Repository): readonly string[] {
  return [
    'gpg.format=ssh',
    `user.signingkey=${workshop.path('ada')}.pub`,
    `gpg.ssh.allowedSignersFile=${workshop.path('keys')}/allowed_signers`,
  ]
}

async function configMapIsThere(server: StartedServer): Promise<boolean> {
  const { connectCluster } = await import('../../shared/kube/cluster.ts')
  const cluster = await connectCluster({ kubeconfig: server.kubeconfig, watch: false, schemaFolder: false })
  try {
    const id = { group: '', kind: 'ConfigMap', namespace: 'default', name: 'guarded' }
    return (await cluster.read({ group: '', version: 'v1', kind: 'ConfigMap' }, id, {})) !== undefined
  } finally {
    await cluster.dispose()
  }
}
