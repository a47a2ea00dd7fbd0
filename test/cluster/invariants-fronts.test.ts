import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { METHODS } from '../../shared/agent/contract.ts'
import type { ApplicationSnapshot } from '../../shared/model/status.ts'
import { applicationRow } from '../../shared/view/application-row.ts'
import { driftList } from '../../shared/view/drift-list.ts'
import { resourceRows } from '../../shared/view/resource-rows.ts'
import { treeRows } from '../../shared/view/tree-rows.ts'
import { startTestAgent } from '../support/agent-client.ts'
import { plumbline } from '../support/line-cli.ts'
import { openLine } from '../support/line-session.ts'
import { configMap } from '../support/line-workspace.ts'
import { gitIsMissing } from '../support/scaffold-repository.ts'
import { embedded, type StartedServer } from '../support/test-servers.ts'

test('invariant 7: the window, the editor and the command line tell the same of the same cluster', async (t) => {
  const skip = await gitIsMissing()
  if (skip !== undefined) return t.skip(skip)
  const server = await embedded.start(t)
  const files = { 'a.yaml': configMap('a'), 'b.yaml': configMap('b'), 'c.yaml': configMap('c') }
  const line = await openLine(t, server, { name: 'fronts' }, files)
  await line.sync()
  const path = '/api/v1/namespaces/fronts/configmaps'
  await line.write({ manager: 'hand', path: `${path}/a`, body: { data: { key: 'changed', more: 'added' } } })
  await line.scaffold.remove('fronts/b.yaml')
  await line.scaffold.write({ 'fronts/d.yaml': configMap('d') })

  const own = (await line.look()).snapshot
  const sent = await snapshotOfAgent(t, line.scaffold.folder, server)
  assert.deepEqual(viewed(sent), viewed(own), 'the agent, which both windows draw')

  const argv = ['app', 'diff', 'fronts', '-o', 'json', '--kubeconfig', server.kubeconfig]
  const told = await plumbline(argv, { cwd: line.scaffold.folder })
  assert.equal(told.code, 1, told.stderr)
  assert.deepEqual(JSON.parse(told.stdout), wire(driftList(own)), 'the command line')
  assert.deepEqual(
    driftList(own)
      .map(({ name, drift }) => `${name} ${drift}`)
      .sort(),
    ['a changed', 'b extra', 'd missing'],
  )
})

async function snapshotOfAgent(t: TestContext, workspace: string, server: StartedServer): Promise<ApplicationSnapshot> {
  const agent = await startTestAgent(t)
  await agent.untilRunning()
  const { kubeconfig, context } = server
  const { session } = await agent.client.ask(METHODS.open, { workspace, kubeconfig, context, trusted: [] })
  await agent.client.ask(METHODS.subscribe, { session })
  await agent.until('a snapshot', () => agent.events.some((event) => event.kind === 'snapshot'))
  const event = agent.events.findLast((one) => one.kind === 'snapshot')
  assert.ok(event?.kind === 'snapshot')
  return event.snapshot
}

/** Everything that a front draws of a snapshot, as it comes out of a process. */
function viewed(snapshot: ApplicationSnapshot): unknown {
  const rows = { row: applicationRow(snapshot), resources: resourceRows(snapshot), tree: treeRows(snapshot) }
  return wire({ ...rows, drift: driftList(snapshot), conditions: snapshot.conditions.map(({ message }) => message) })
}

function wire(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
