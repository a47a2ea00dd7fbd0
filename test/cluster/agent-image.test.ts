import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { agentManifests } from '../../shared/clusters/agent/agent-manifests.ts'
import { agentStatus } from '../../shared/session/agent-installation.ts'
import { adminSession, AGENT_USER, agentToken, askedBy, auditedPlane, INSTALL } from '../support/agent-lab.ts'
import { eventually, install, shop } from '../support/agent-shop.ts'
import { missingTools } from '../support/tools/find.ts'

// The agent's image, built from the Dockerfile by a real engine, run as its pod would be: read-only, as nobody, with a service
// account. PLUMBLINE_NODE_IMAGE and PLUMBLINE_TOOLS_IMAGE name images to build on where none can be pulled.

const root = path.resolve(import.meta.dirname, '../..')
const IMAGE = 'plumbline-agent:test'

function docker(...parts: readonly (string | readonly string[])[]): { readonly ok: boolean; readonly out: string } {
  const done = spawnSync('docker', parts.flat(), { encoding: 'utf8', timeout: 600_000 })
  return { ok: done.status === 0, out: `${done.stdout ?? ''}${done.stderr ?? ''}`.trim() }
}

function reasonToSkip(): string | false {
  const tools = missingTools('kube-apiserver', 'etcd')
  if (tools !== false) return tools
  if (!docker('info').ok) return 'no container engine runs here'
  if (!existsSync(path.join(root, 'dist', 'cli.js'))) return 'dist/ is not built'
  const { PLUMBLINE_NODE_IMAGE: node = 'node:24-bookworm-slim' } = process.env
  return docker('image', 'inspect', node).ok || docker('pull', '-q', node).ok
    ? false
    : `the image ${node} cannot be pulled`
}

const skip = reasonToSkip()

test(
  'the image runs as nobody on a file system that it cannot write, and syncs with its service account alone',
  { skip },
  async (t) => {
    const { PLUMBLINE_NODE_IMAGE: node, PLUMBLINE_TOOLS_IMAGE: tools } = process.env
    const built = docker(
      ['build', '-q', '-t', IMAGE],
      node === undefined ? [] : ['--build-arg', `NODE_IMAGE=${node}`],
      tools === undefined ? [] : ['--build-arg', `KUSTOMIZE=${tools}`, '--build-arg', `HELM=${tools}`],
      root,
    )
    assert.ok(built.ok, built.out)
    const size = Number(docker('image', 'inspect', '-f', '{{.Size}}', IMAGE).out)
    for (const words of [
      ['kustomize', 'version'],
      ['helm', 'version', '--short'],
      ['git', '--version'],
      ['node', '--version'],
    ]) {
      const [first = '', ...rest] = words
      const asked = docker('run', '--rm', '--entrypoint', first, IMAGE, rest)
      assert.ok(asked.ok, asked.out)
    }

    const plane = await auditedPlane(t)
    const automated = { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true'] }
    const scaffold = await shop(t, {
      source: { repoURL: 'file:///repo', targetRevision: 'HEAD', path: 'shop' },
      syncPolicy: automated,
    })
    const local = await shop(t, { syncPolicy: automated })
    const admin = await adminSession(t, plane, local.folder)
    await install(admin, plane)

    const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-pod-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    chmodSync(folder, 0o755)
    const account = path.join(folder, 'serviceaccount')
    mkdirSync(account)
    writeFileSync(path.join(account, 'token'), await agentToken(plane))
    writeFileSync(path.join(account, 'ca.crt'), plane.caPem)
    writeFileSync(path.join(account, 'namespace'), 'plumbline')
    const { args, env } = podOf(INSTALL)
    const url = new URL(plane.url)
    const ran = docker(
      [
        'run',
        '-d',
        '--name',
        `plumbline-agent-test-${process.pid}`,
        '--network',
        'host',
        '--read-only',
        '--cap-drop',
        'ALL',
      ],
      ['--tmpfs', '/var/lib/plumbline:uid=10001,gid=10001'],
      ['-v', `${account}:/var/run/secrets/kubernetes.io/serviceaccount:ro`, '-v', `${scaffold.folder}:/repo:ro`],
      ['-v', `${path.join(scaffold.folder, 'app.yaml')}:/etc/plumbline/applications/app.yaml:ro`],
      ['-e', `KUBERNETES_SERVICE_HOST=${url.hostname}`, '-e', `KUBERNETES_SERVICE_PORT=${url.port}`],
      Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
      [IMAGE, ...args],
    )
    assert.ok(ran.ok, ran.out)
    const container = ran.out.split('\n').at(-1) ?? ''
    t.after(() => docker('rm', '-f', container))
    const cluster = await admin.cluster()
    try {
      await eventually(async () => {
        assert.equal((await plane.client.request('/api/v1/namespaces/shop/configmaps/settings')).status, 200)
        const { agents, leader } = await agentStatus(cluster, {})
        assert.deepEqual(
          agents.map(({ name, applications }) => [name, applications.map((one) => one.sync)]),
          [['pod-1', ['Synced']]],
        )
        assert.notEqual(leader, '')
      })
    } catch (error) {
      throw new Error(docker('logs', container).out, { cause: error })
    }
    assert.ok(docker('stop', '-t', '20', container).ok)
    assert.equal(docker('inspect', '-f', '{{.State.ExitCode}}', container).out, '0')
    const after = await agentStatus(cluster, {})
    assert.deepEqual([after.leader, after.agents], ['', []])
    const refused = [...(await askedBy(plane, AGENT_USER))]
      .filter(([, statuses]) => statuses.has(403))
      .map(([call]) => call)
    assert.deepEqual(refused, [])
    t.diagnostic(`image of ${Math.round(size / 1024 / 1024)} MiB`)
  },
)

/** What the Deployment gives its container. */
function podOf(options: typeof INSTALL): {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
} {
  type Pod = {
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          {
            readonly args: readonly string[]
            readonly env: readonly { readonly name: string; readonly value?: string }[]
          },
        ]
      }
    }
  }
  const deployment = agentManifests(options).find(({ kind }) => kind === 'Deployment')
  if (deployment === undefined) throw new Error('an installation has no Deployment')
  const [{ args, env }] = (deployment['spec'] as unknown as Pod).template.spec.containers
  return { args, env: Object.fromEntries(env.map(({ name, value }) => [name, value ?? 'pod-1'])) }
}
