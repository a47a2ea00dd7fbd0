import { AGENT_NAMESPACE } from '../clusters/agent/agent-manifests.ts'
import type { Cluster } from '../kube/cluster.ts'
import type { AgentReport } from '../model/agent-install.ts'
import { isObject, type JsonObject } from '../model/json.ts'
import type { Cancellable } from '../model/ports.ts'
import { storeClient } from './store-access.ts'

/** What the ConfigMaps carry in which agents say how they are. */
export const REPORT_LABEL = 'plumbline.dev/report=agent'
const [LABEL_KEY = '', LABEL_VALUE = ''] = REPORT_LABEL.split('=')
const MAP_PREFIX = 'agent-report.'

/** Writes down how an agent is, in the namespace of the store. @throws ClusterError */
export async function writeReport(cluster: Cluster, report: AgentReport, cancel: Cancellable): Promise<void> {
  const client = storeClient(cluster)
  const collection = `/api/v1/namespaces/${AGENT_NAMESPACE}/configmaps`
  const name = `${MAP_PREFIX}${report.name}`
  const data = { report: JSON.stringify(report) }
  if ((await client.mergePatch(`${collection}/${name}`, { data }, cancel)) !== undefined) return
  const metadata = { name, labels: { [LABEL_KEY]: LABEL_VALUE } }
  await client.create(collection, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, cancel)
}

/** An agent that ends says nothing more. @throws ClusterError */
export async function dropReport(cluster: Cluster, name: string, cancel: Cancellable): Promise<void> {
  await storeClient(cluster).delete(`/api/v1/namespaces/${AGENT_NAMESPACE}/configmaps/${MAP_PREFIX}${name}`, cancel)
}

/** What a ConfigMap says; undefined where it is not one of ours. */
export function readReport(configMap: JsonObject): AgentReport | undefined {
  const { data } = configMap
  const written = isObject(data) ? data['report'] : undefined
  if (typeof written !== 'string') return undefined
  try {
    const report = JSON.parse(written) as AgentReport
    return typeof report.name === 'string' && Array.isArray(report.applications) ? report : undefined
  } catch {
    return undefined
  }
}
