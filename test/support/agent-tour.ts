import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { makeTourRepository, type TourRepository } from '../../shared/session/tour-repository.ts'
import { METHODS, type SentSnapshot } from '../../shared/agent/contract.ts'
import { connectCluster } from '../../shared/kube/cluster.ts'
import { startTestAgent, type TestAgent } from './agent-client.ts'

const examples = path.resolve(import.meta.dirname, '../../examples/tour')

export type TourWorld = { readonly agent: TestAgent; readonly repository: TourRepository; readonly session: string }

/** The tour's repository with a Secret that is not committed, open in a real agent on an embedded cluster of its own. */
export async function openTour(t: TestContext): Promise<TourWorld> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-agent-tour-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const repository = await makeTourRepository(examples, folder)
  await writeFile(path.join(folder, 'shop', 'secret.yaml'), secret)
  const agent = await startTestAgent(t)
  await agent.untilRunning()
  const opened = await agent.client.ask(METHODS.open, { workspace: folder, context: 'embedded', trusted: [] })
  return { agent, repository, session: opened.session }
}

const secret = `apiVersion: v1
kind: Secret
metadata:
  name: shop
stringData:
  password: correct-horse
`

/** The last snapshot that was told of an application. */
export function latest(agent: TestAgent, name: string): SentSnapshot | undefined {
  const isIt = (event: TestAgent['events'][number]): boolean =>
    event.kind === 'snapshot' && event.snapshot.application.name === name
  return agent.events.findLast(isIt) as SentSnapshot | undefined
}

/** Scales the shop's Deployment past Git, under a manager's name. */
export async function editByHand({ home }: TestAgent, manager: string, replicas: number): Promise<void> {
  const kubeconfig = path.join(home, 'plumbline', 'embedded', 'kubeconfig')
  const cluster = await connectCluster({ kubeconfig, watch: false })
  try {
    await cluster.send(
      {
        method: 'PATCH',
        path: `/apis/apps/v1/namespaces/shop/deployments/shop?fieldManager=${manager}`,
        body: JSON.stringify({ spec: { replicas } }),
        contentType: 'application/merge-patch+json',
      },
      {},
    )
  } finally {
    await cluster.dispose()
  }
}
