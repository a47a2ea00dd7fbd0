import { EMBEDDED_CONTEXT } from '../clusters/embedded.ts'
import { openClusters, type ClusterManager } from '../clusters/cluster-manager.ts'
import { ClustersError } from '../clusters/clusters-error.ts'
import { connectCluster } from '../kube/cluster.ts'
import type { Application } from '../model/application.ts'
import { CLUSTER_PROVIDERS, type ClusterProvider, type ClusterRow } from '../model/cluster.ts'
import { ClusterWorld, type ClusterPlace } from '../rehearsal/cluster-world.ts'
import { RehearsalError } from '../rehearsal/rehearsal-error.ts'
import type { Session } from '../session.ts'
import { rehearse, type Rehearsed, type RehearseOptions } from './rehearse.ts'

/** The cluster that is made for rehearsals, by any provider. */
const CLUSTER_NAME = 'plumbline-rehearsal'
/** Pods may never start where there are no nodes: nobody waits half an hour to be told. */
const DEADLINE_MS = 3 * 60_000

export type PlaceOptions = RehearseOptions & {
  /** Leaves what was made there, to look inside. */
  readonly keep?: boolean
}

/**
 * Rehearses on the embedded server, on a cluster that is made for it (kind, minikube, control-plane), or on the cluster of
 * another context.
 * @throws RehearsalError `place` where the place cannot be had, with the reason
 */
export async function rehearseOn(
  on: string,
  session: Session,
  application: Application,
  { keep = false, ...options }: PlaceOptions,
): Promise<Rehearsed> {
  if (on === EMBEDDED_CONTEXT || on === '') return rehearse(session, application, options)
  const { report, request, faults = [] } = options
  if (faults.length > 0) {
    throw new RehearsalError('place', `only the embedded cluster can be made to fail, not ${on}`, { next: EMBEDDED })
  }
  const made = isProvider(on) ? await provided(on, options) : undefined
  const { kubeconfig } = session.options
  const place = made?.place ?? { context: on, ...(kubeconfig === undefined ? {} : { kubeconfig }) }
  // A context that is not there is said before anything is read.
  if (made === undefined) await (await connectCluster({ ...place, watch: false })).dispose()
  report?.({ kind: 'filling', what: `filling ${place.context}` })
  const cancel = options.signal === undefined ? {} : { signal: options.signal }
  try {
    const rehearsed = await rehearse(session, application, {
      ...options,
      request: { deadlineMs: DEADLINE_MS, ...request },
      place: async (recording) => ClusterWorld.open(place, recording, { keep, ...cancel }),
    })
    if (made === undefined || keep) return rehearsed
    const dispose = async (): Promise<void> => {
      await rehearsed.dispose()
      await made.end()
    }
    return { ...rehearsed, dispose }
  } catch (error) {
    await made?.end()
    throw error
  }
}

const EMBEDDED = 'leave --on away: the embedded cluster needs nothing and answers in a second'

function isProvider(on: string): on is Exclude<ClusterProvider, 'embedded'> {
  return on !== 'embedded' && (CLUSTER_PROVIDERS as readonly string[]).includes(on)
}

type Provided = { readonly place: ClusterPlace; readonly end: () => Promise<void> }

/** The rehearsal's own cluster: found running, started, or made. Only what was made now is taken away again. */
async function provided(provider: Exclude<ClusterProvider, 'embedded'>, options: RehearseOptions): Promise<Provided> {
  const clusters = openClusters()
  const ref = { provider, name: CLUSTER_NAME }
  const cancel = options.signal === undefined ? {} : { signal: options.signal }
  try {
    const found = await clusters.find(ref, cancel)
    if (found?.state === 'running') return { place: placeOf(found), end: async () => {} }
    options.report?.({ kind: 'filling', what: `${found === undefined ? 'making' : 'starting'} a ${provider} cluster` })
    if (found?.state === 'stopped') {
      const row = await clusters.start(ref, cancel)
      return { place: placeOf(row), end: async () => void (await clusters.stop(ref)) }
    }
    const row = await clusters.create({ ...ref }, cancel)
    return { place: placeOf(row), end: async () => remove(clusters, ref) }
  } catch (error) {
    if (!ClustersError.is(error)) throw error
    const why = error.next === '' ? error.message : `${error.message}; ${error.next}`
    throw new RehearsalError('place', `a ${provider} cluster cannot be had: ${why}`, { cause: error, next: EMBEDDED })
  }
}

async function remove(clusters: ClusterManager, ref: Parameters<ClusterManager['delete']>[0]): Promise<void> {
  await clusters.delete(ref, { confirmName: ref.name })
}

function placeOf({ context, kubeconfig, provider }: ClusterRow): ClusterPlace {
  return { context, provider, ...(kubeconfig === undefined ? {} : { kubeconfig }) }
}
