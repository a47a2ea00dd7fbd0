import { isObject, type JsonObject } from '../model/json.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { ApplicationSnapshot, HistoryEntry, ResourceStatus } from '../model/status.ts'
import { operationState } from './argo-operation.ts'
import { revisionOf, sourcesOf, writtenSpec } from './argo-source.ts'
import { imagesOf } from './images.ts'

/**
 * The snapshot as an Argo CD Application with its status filled as Argo CD v3 fills it, for tools that read
 * `argocd app get -o json` (`manifests/crds/application-crd.yaml`).
 * @param live the managed objects and their descendants as the cluster has them, for `summary.images`
 */
export function argoApplication(snapshot: ApplicationSnapshot, live: Iterable<KubeObject> = []): JsonObject {
  const { application } = snapshot
  const raw = isObject(application.raw) ? application.raw : {}
  const metadata = isObject(raw['metadata']) ? raw['metadata'] : {}
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { ...metadata, name: application.name, namespace: application.namespace },
    spec: writtenSpec(snapshot),
    status: statusOf(snapshot, imagesOf(live)),
  }
}

function statusOf(snapshot: ApplicationSnapshot, images: readonly string[]): JsonObject {
  const { conditions, history, operation, sourceType, resources } = snapshot
  return {
    ...(conditions.length === 0 ? {} : { conditions: conditions.map((condition) => ({ ...condition })) }),
    controllerNamespace: snapshot.application.namespace,
    health: { ...snapshot.health },
    ...(history.length === 0 ? {} : { history: history.map((entry) => historyOf(entry, snapshot)) }),
    ...(operation === undefined ? {} : { operationState: operationState(operation, snapshot) }),
    reconciledAt: snapshot.observedAt,
    observedAt: snapshot.observedAt,
    ...(resources.length === 0 ? {} : { resources: resources.map(resourceOf) }),
    ...(sourceType === '' ? {} : { sourceType }),
    summary: images.length === 0 ? {} : { images },
    sync: syncOf(snapshot),
  }
}

function syncOf(snapshot: ApplicationSnapshot): JsonObject {
  const spec = writtenSpec(snapshot)
  const { revision, sync } = snapshot
  const ignored = spec['ignoreDifferences']
  return {
    comparedTo: {
      destination: spec['destination'] ?? {},
      ...sourcesOf(snapshot),
      ...(ignored === undefined ? {} : { ignoreDifferences: ignored }),
    },
    ...(revision === undefined ? {} : revisionOf(revision.sha, snapshot)),
    status: sync,
  }
}

/** Argo CD leaves out what is empty (Go's `omitempty`), the core group and the namespace of cluster-scoped kinds among it. */
function resourceOf(resource: ResourceStatus): JsonObject {
  const { id, version, sync, health, requiresPruning, wave } = resource
  return {
    ...(id.group === '' ? {} : { group: id.group }),
    ...(health === undefined ? {} : { health: { ...health } }),
    kind: id.kind,
    name: id.name,
    ...(id.namespace === '' ? {} : { namespace: id.namespace }),
    ...(requiresPruning ? { requiresPruning } : {}),
    ...(wave === undefined ? {} : { syncWave: wave }),
    status: sync,
    version,
  }
}

function historyOf(entry: HistoryEntry, snapshot: ApplicationSnapshot): JsonObject {
  return {
    deployStartedAt: entry.deployStartedAt,
    deployedAt: entry.deployedAt,
    id: entry.id,
    initiatedBy: entry.automated ? { automated: true } : { username: entry.initiatedBy },
    ...revisionOf(entry.revision, snapshot),
    ...sourcesOf(snapshot),
  }
}
