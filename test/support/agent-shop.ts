import assert from 'node:assert/strict'
import { sleep } from '../../shared/base/abort.ts'
import type { AccessRule } from '../../shared/model/agent-install.ts'
import type { Session } from '../../shared/session.ts'
import { neededAccess } from '../../shared/session/agent-access.ts'
import { installAgent } from '../../shared/session/agent-installation.ts'
import { INSTALL, mayAgent, servedResources } from './agent-lab.ts'
import type { ControlPlane } from './control-plane.ts'
import { applicationFile } from './line-workspace.ts'
import { scaffoldRepository, type Scaffold } from './scaffold-repository.ts'

/** A small application with a bit of everything that people bring from Git. */
export async function shop(t: { after(run: () => unknown): void }, spec: object = {}): Promise<Scaffold> {
  const scaffold = await scaffoldRepository()
  t.after(() => scaffold.dispose())
  await scaffold.write({
    'app.yaml': applicationFile({ name: 'shop', spec: { ...spec } }),
    'shop/all.json': manifests('blue', true),
  })
  await scaffold.commit('Begin')
  return scaffold
}

function manifests(colour: string, job: boolean): string {
  const labels = { app: 'web' }
  const pod = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } }
  const items = [
    { apiVersion: 'v1', kind: 'ConfigMap', ...meta('settings'), data: { colour } },
    { apiVersion: 'v1', kind: 'Service', ...meta('web'), spec: { selector: labels, ports: [{ port: 80 }] } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      ...meta('web'),
      spec: { selector: { matchLabels: labels }, template: pod },
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      ...meta('reader'),
      rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      ...meta('reader'),
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'shop' }],
    },
    ...(job
      ? [
          {
            apiVersion: 'batch/v1',
            kind: 'CronJob',
            ...meta('nightly'),
            spec: {
              schedule: '0 3 * * *',
              jobTemplate: {
                spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } } },
              },
            },
          },
        ]
      : []),
  ]
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
}

export async function access(admin: Session): Promise<Awaited<ReturnType<typeof neededAccess>>> {
  const { applications } = await admin.applications()
  const needed = await neededAccess(admin, applications, {})
  assert.deepEqual(needed.unknown, [])
  return needed
}

export async function install(admin: Session, plane: ControlPlane): Promise<readonly AccessRule[]> {
  const { rules, missingNamespaces } = await access(admin)
  await installAgent(await admin.cluster(), { ...INSTALL, missingNamespaces, access: { kind: 'least', rules } }, {})
  for (const namespace of new Set(rules.map((rule) => rule.namespace)))
    if (namespace !== '') await rightsAreThere(plane, namespace)
  return rules
}

/** The authorizer hears of new roles a moment after they are made. */
export async function rightsAreThere(plane: ControlPlane, namespace: string): Promise<void> {
  const ask = async (attributes: Parameters<typeof mayAgent>[1]): Promise<boolean> => mayAgent(plane.client, attributes)
  await eventually(async () => {
    assert.ok(await ask({ verb: 'list', group: '', resource: 'configmaps', namespace: 'plumbline' }))
    const kinds = ['services', 'serviceaccounts', 'configmaps']
    const any = await Promise.all(kinds.map(async (resource) => ask({ verb: 'list', group: '', resource, namespace })))
    assert.ok(any.includes(true), `no right in ${namespace}`)
  })
}

/** Everything that a sync may come to do: create, change, heal, prune, and make anew. */
export async function syncs(agent: Session, plane: ControlPlane, scaffold: Scaffold): Promise<void> {
  const sync = async (request: object = {}): Promise<void> => {
    const [application] = (await agent.applications()).applications
    assert.ok(application !== undefined)
    const pass = await agent.sync(application, { request: { prune: true, dryRun: false, ...request } })
    assert.equal(pass.outcome?.phase ?? 'Succeeded', 'Succeeded', pass.outcome?.message)
    assert.deepEqual(
      pass.snapshot.conditions.map(({ message }) => message),
      [],
    )
    assert.equal(pass.snapshot.sync, 'Synced')
  }
  await sync()
  await sync()
  const map = '/api/v1/namespaces/shop/configmaps/settings'
  await plane.client.request(map, {
    method: 'PATCH',
    type: 'application/merge-patch+json',
    body: { data: { hand: 'made' } },
  })
  await sync()
  await plane.client.request('/apis/apps/v1/namespaces/shop/deployments/web', { method: 'DELETE' })
  await sync()
  await scaffold.write({ 'shop/all.json': manifests('green', false) })
  await scaffold.commit('Drop the job')
  await sync()
  await sync({ replace: true })
}

/** `resource namespace/name` of all that the server has, but for what it keeps for itself. */
export async function everythingThatIs(plane: ControlPlane): Promise<ReadonlySet<string>> {
  const skipped = new Set([
    'events',
    'componentstatuses',
    'leases',
    'apiservices',
    'endpointslices',
    'endpoints',
    'replicasets',
    'pods',
    'ipaddresses',
    'flowschemas',
    'prioritylevelconfigurations',
    'controllerrevisions',
  ])
  const found = new Set<string>()
  for (const { group, resource } of await servedResources(plane.client)) {
    if (resource.includes('/') || skipped.has(resource) || group === 'events.k8s.io') continue
    const version = group === '' ? '/api/v1' : await versionOf(plane, group)
    const { body, status } = await plane.client.request(`${version}/${resource}`)
    if (status !== 200) continue
    const { items = [] } = body as {
      readonly items?: readonly { readonly metadata: { readonly name: string; readonly namespace?: string } }[]
    }
    for (const { metadata } of items)
      found.add(`${resource} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`)
  }
  return found
}

async function versionOf(plane: ControlPlane, group: string): Promise<string> {
  const { body } = await plane.client.request(`/apis/${group}`)
  return `/apis/${(body as { readonly preferredVersion: { readonly groupVersion: string } }).preferredVersion.groupVersion}`
}

/** What controllers make in a new namespace a moment later. */
export function stays(name: string): boolean {
  return !/^(configmaps plumbline\/kube-root-ca|serviceaccounts plumbline\/default)/.test(name)
}

export async function eventually(holds: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 40_000
  for (;;) {
    try {
      return await holds()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(100)
    }
  }
}

function meta(name: string): object {
  return { metadata: { name } }
}
