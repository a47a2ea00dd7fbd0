import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import type { AgentInstallOptions } from '../../shared/model/agent-install.ts'
import { Session } from '../../shared/session.ts'
import type { AuditEvent } from './control-plane-audit.ts'
import type { JsonClient } from './control-plane-client.ts'
import { startControlPlane, type ControlPlane } from './control-plane.ts'

export const AGENT_USER = 'system:serviceaccount:plumbline:plumbline-agent'

/** A real server that writes down every request. */
export async function auditedPlane(t: TestContext, controllerManager = false): Promise<ControlPlane> {
  const plane = await startControlPlane({ audit: true, controllerManager })
  t.after(() => plane.stop())
  return plane
}

export const INSTALL: AgentInstallOptions = {
  image: 'plumbline-agent:test',
  pullPolicy: 'Never',
  replicas: 1,
  applications: { kind: 'files', files: {} },
  missingNamespaces: [],
  access: { kind: 'least', rules: [] },
}

/** The administrator's session over a repository. */
export async function adminSession(t: TestContext, plane: ControlPlane, workspace: string): Promise<Session> {
  return sessionAs(t, workspace, plane.kubeconfigPath, 'admin', false)
}

/** A token of the agent's service account, as a pod gets it. */
export async function agentToken({ client }: ControlPlane): Promise<string> {
  const at = '/api/v1/namespaces/plumbline/serviceaccounts/plumbline-agent/token'
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } }
  const answer = await client.request(at, { method: 'POST', body })
  const { token } = (answer.body as { readonly status?: { readonly token?: string } }).status ?? {}
  if (token === undefined) throw new Error(`no token for the agent: ${JSON.stringify(answer)}`)
  return token
}

/** A kubeconfig with the agent's own token. */
export async function agentKubeconfig(t: TestContext, plane: ControlPlane): Promise<string> {
  const token = await agentToken(plane)
  const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-agent-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'kubeconfig')
  const ca = Buffer.from(plane.caPem).toString('base64')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: plane.url, 'certificate-authority-data': ca } }],
    users: [{ name: 'agent', user: { token } }],
    contexts: [{ name: 'agent', context: { cluster: 'c', user: 'agent' } }],
    'current-context': 'agent',
  }
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
  return file
}

export async function sessionAs(
  t: TestContext,
  workspace: string,
  kubeconfig: string,
  context: string,
  watch: boolean,
): Promise<Session> {
  const session = await Session.open({ workspace, kubeconfig, context, watch, trusted: [], user: 'tester' })
  t.after(() => session.dispose())
  return session
}

/** What a user asked of the server: each `verb group/resource namespace` once, with the statuses of the answers. */
export async function askedBy(plane: ControlPlane, user: string): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const asked = new Map<string, Set<number>>()
  for (const event of await plane.audit()) {
    if (event.user !== user || event.resource === undefined) continue
    const key = callOf(event)
    const statuses = asked.get(key) ?? new Set()
    statuses.add(event.status)
    asked.set(key, statuses)
  }
  return asked
}

function callOf({ verb, uri, resource, subresource, namespace }: AuditEvent): string {
  const group = /^\/apis\/([^/?]+)\//.exec(uri)?.[1] ?? ''
  const whole = subresource === undefined ? (resource ?? '') : `${resource}/${subresource}`
  return `${verb} ${group}/${whole} ${namespace ?? ''}`.trim()
}

/** One thing that somebody may or may not do. */
export type Attributes = {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly namespace: string
  readonly name?: string
}

/** Asks the server's own authorizer. */
export async function mayAgent(client: JsonClient, attributes: Attributes): Promise<boolean> {
  const answer = await client.request('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    method: 'POST',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: {
        user: AGENT_USER,
        groups: ['system:serviceaccounts', 'system:serviceaccounts:plumbline', 'system:authenticated'],
        resourceAttributes: attributes,
      },
    },
  })
  return (answer.body as { readonly status?: { readonly allowed?: boolean } }).status?.allowed === true
}

/** Every resource that the server serves, without subresources. */
export async function servedResources(
  client: JsonClient,
): Promise<readonly { group: string; resource: string; namespaced: boolean }[]> {
  type List = { readonly resources?: readonly { readonly name: string; readonly namespaced: boolean }[] }
  type Groups = {
    readonly groups?: readonly { readonly name: string; readonly preferredVersion: { readonly groupVersion: string } }[]
  }
  const { groups = [] } = (await client.request('/apis')).body as Groups
  const places = [
    { group: '', at: '/api/v1' },
    ...groups.map(({ name, preferredVersion }) => ({ group: name, at: `/apis/${preferredVersion.groupVersion}` })),
  ]
  const lists = await Promise.all(
    places.map(async ({ group, at }) => {
      const { resources = [] } = (await client.request(at)).body as List
      return resources.map(({ name, namespaced }) => ({ group, resource: name, namespaced }))
    }),
  )
  return lists.flat()
}
