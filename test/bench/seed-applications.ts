// Puts on the embedded cluster what every application of a workspace wants, as a sync would leave it, in a process whose
// state is kept where its caller says: `node seed-applications.ts WORKSPACE [NAMESPACE]`. In the namespace (`large`) twenty
// objects drift.
import { trackingId, TRACKING_ANNOTATION } from '../../shared/core/tracking.ts'
import type { Cluster } from '../../shared/kube/cluster.ts'
import type { Application } from '../../shared/model/application.ts'
import { idOf, type KubeObject } from '../../shared/model/kubernetes.ts'
import { Session } from '../../shared/session.ts'

const AT_ONCE = 4

const [, , workspace = '', namespace = 'large'] = process.argv
const session = await Session.open({ workspace, context: 'embedded', watch: false, trusted: [] })
const cluster = await session.cluster()
const waiting = [...(await session.applications()).applications]
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await fill(next)
  }),
)
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

async function fill(application: Application): Promise<void> {
  const name = application.destination.namespace
  await apply(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  for (const source of application.sources) {
    const checkout = await session.source.resolve(source, {})
    const request = { application, source, checkout, references: new Map(), kubeVersion: 'v1.36.0', apiVersions: [] }
    const { manifests } = await session.renderer.render(request, {})
    await Promise.all(manifests.map(async ({ object }) => apply(cluster, tracked(application, object, name))))
  }
}

function tracked(application: Application, object: KubeObject, name: string): KubeObject {
  const placed: KubeObject = { ...object, metadata: { ...object.metadata, namespace: name } }
  const annotations = { ...object.metadata.annotations, [TRACKING_ANNOTATION]: trackingId(application, idOf(placed)) }
  return { ...placed, metadata: { ...placed.metadata, annotations } }
}

async function apply(target: Cluster, object: KubeObject): Promise<void> {
  await target.apply({ object, fieldManager: 'plumbline', force: true, fieldValidation: 'Strict' }, {})
}
