// Syncs every application of a workspace to the embedded cluster, in a process whose state is kept where its caller says:
// `node seed-applications.ts WORKSPACE [NAMESPACE]`; in the namespace (`large`) twenty objects drift.
import { Session } from '../../shared/session.ts'

const AT_ONCE = 4

const [, , workspace = '', namespace = 'large'] = process.argv
const session = await Session.open({ workspace, context: 'embedded', watch: true, trusted: [] })
const { applications } = await session.applications()
const waiting = [...applications]
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { outcome } = await session.sync(next, { request: { prune: false, dryRun: false } })
      if (outcome?.phase !== 'Succeeded') throw new Error(`${next.name}: ${outcome?.message}`)
    }
  }),
)
// What a sync leaves is one thing, what people do to it another: some of the large application drifts.
const cluster = await session.cluster()
for (let index = 0; index < 20; index += 1) {
  await cluster.send(
    {
      method: 'PATCH',
      path: `/api/v1/namespaces/${namespace}/configmaps/entry-${index * 10}?fieldManager=kubectl-edit`,
      body: JSON.stringify({ data: { key05: 'by hand' } }),
      contentType: 'application/merge-patch+json',
    },
    {},
  )
}
await session.dispose()
process.exit(0)
