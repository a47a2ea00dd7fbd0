import type { EventRow } from '../model/front.ts'
import { isArray, isObject, parseJson, type Json } from '../model/json.ts'
import { parseApiVersion, resourceKey, type ResourceId } from '../model/kubernetes.ts'
import type { Cancellable } from '../model/ports.ts'
import type { ApplicationSnapshot } from '../model/status.ts'
import type { HostedSession } from './hosted-session.ts'

/** A server may keep tens of thousands of an hour; the newest tell the story. */
const MOST_ROWS = 500
const MOST_LISTED = 2000

/** Events about the objects of an application, or about one of them, the newest first. @throws ClusterError */
export async function eventsOf(
  hosted: HostedSession,
  { application, id }: { readonly application: string; readonly id?: ResourceId },
  options: Cancellable,
): Promise<readonly EventRow[]> {
  const cluster = await hosted.session.clusterOf(await hosted.application(application))
  const { snapshot } = await hosted.pass(application, options)
  const wanted = id === undefined ? keysOf(snapshot) : new Set([resourceKey(id)])
  const namespaces = namespacesOf(snapshot, id)
  const lists = await Promise.all(
    namespaces.map(async (namespace) =>
      itemsOf(
        parseJson(
          await cluster.raw(`/api/v1/namespaces/${encodeURIComponent(namespace)}/events?limit=${MOST_LISTED}`, options),
        ),
      ),
    ),
  )
  return lists
    .flat()
    .map(rowOf)
    .filter((row) => wanted.has(resourceKey(row.about)))
    .sort((a, b) => (a.time < b.time ? 1 : -1))
    .slice(0, MOST_ROWS)
}

function keysOf({ resources, tree }: ApplicationSnapshot): ReadonlySet<string> {
  return new Set([...resources, ...tree].map((one) => resourceKey(one.id)))
}

/** Events about cluster-scoped objects are kept in `default` (client-go `tools/record`, `makeEvent`). */
function namespacesOf({ resources, tree }: ApplicationSnapshot, id: ResourceId | undefined): readonly string[] {
  const ids = id === undefined ? [...resources, ...tree].map((one) => one.id) : [id]
  return [...new Set(ids.map(({ namespace }) => (namespace === '' ? 'default' : namespace)))]
}

function itemsOf(list: Json): readonly Json[] {
  const items = isObject(list) ? list['items'] : undefined
  return isArray(items) ? items : []
}

function rowOf(event: Json): EventRow {
  const about = at(event, 'involvedObject')
  const series = at(event, 'series')
  const last = text(at(event, 'lastTimestamp')) || text(at(series, 'lastObservedTime'))
  const count = at(series, 'count') ?? at(event, 'count')
  return {
    uid: text(at(at(event, 'metadata'), 'uid')),
    time: last || text(at(event, 'eventTime')) || text(at(at(event, 'metadata'), 'creationTimestamp')),
    count: typeof count === 'number' && count > 0 ? count : 1,
    type: text(at(event, 'type')) === 'Warning' ? 'Warning' : 'Normal',
    reason: text(at(event, 'reason')),
    message: text(at(event, 'message')),
    about: {
      group: parseApiVersion(text(at(about, 'apiVersion')) || 'v1').group,
      kind: text(at(about, 'kind')),
      namespace: text(at(about, 'namespace')),
      name: text(at(about, 'name')),
    },
    source: text(at(event, 'reportingComponent')) || text(at(at(event, 'source'), 'component')),
  }
}

function at(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
