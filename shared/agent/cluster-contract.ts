import { NotificationType, RequestType } from 'vscode-jsonrpc/node'
import type { ToldEvent } from '../clusters/cluster-operations.ts'
import type { ClusterRef, ClusterRow, ClusterSpec, ProviderRow, ToolFinding } from '../model/cluster.ts'
import type { AgentApplications, AgentStatus } from '../model/agent-install.ts'
import type { ContextProbe, KubeconfigEdit, KubeContextRow } from '../model/kube-context.ts'
import type { FailureData } from './contract.ts'

const request = <P, R>(method: string): RequestType<P, R, FailureData> => new RequestType<P, R, FailureData>(method)

/** One kubeconfig file instead of what `KUBECONFIG` names. */
type In = { readonly kubeconfig?: string }
type OfContext = In & { readonly context: string }

/** What may be asked of local clusters and of kube contexts. Long ones end when they are done, and are cancelled by withdrawing them. */
export const CLUSTER_METHODS = {
  providers: request<null, readonly ProviderRow[]>('clusters/providers'),
  list: request<null, readonly ClusterRow[]>('clusters/list'),
  create: request<ClusterSpec, ClusterRow>('clusters/create'),
  start: request<ClusterRef, ClusterRow>('clusters/start'),
  stop: request<ClusterRef, ClusterRow>('clusters/stop'),
  /** `confirmName` is what the person typed, for a cluster that Plumbline did not make. */
  delete: request<ClusterRef & { readonly confirmName?: string }, null>('clusters/delete'),
  loadImage: request<ClusterRef & { readonly image: string }, null>('clusters/loadImage'),
  exportLogs: request<ClusterRef & { readonly folder: string }, string>('clusters/exportLogs'),
  download: request<{ readonly tool: string; readonly version?: string }, ToolFinding>('clusters/download'),
  /** Ends whatever is done with a cluster, whichever window began it; false where nothing is. */
  cancel: request<ClusterRef, boolean>('clusters/cancel'),
  /** From now on this client is told of every operation. */
  watch: request<null, null>('clusters/watch'),
  contextRows: request<In, readonly KubeContextRow[]>('contexts/rows'),
  /** Connects: what the context logs in with is run. */
  probeContext: request<OfContext, ContextProbe>('contexts/probe'),
  useContext: request<OfContext, KubeconfigEdit>('contexts/use'),
  renameContext: request<OfContext & { readonly to: string }, KubeconfigEdit>('contexts/rename'),
  setNamespace: request<OfContext & { readonly namespace: string }, KubeconfigEdit>('contexts/namespace'),
  deleteContext: request<OfContext, KubeconfigEdit>('contexts/delete'),
  importKubeconfig: request<
    In & { readonly text: string; readonly from?: string; readonly replace?: boolean },
    KubeconfigEdit & { readonly contexts: readonly string[] }
  >('contexts/import'),
  undoEdit: request<{ readonly undo: string }, null>('contexts/undo'),
  markProduction: request<{ readonly context: string; readonly production: boolean }, null>('contexts/production'),
} as const

type OfAgent = { readonly session: string }

/** What a front asks for: rights are found out from the session's applications. */
export type AgentInstallParams = OfAgent & {
  readonly image: string
  readonly pullPolicy: 'IfNotPresent' | 'Always' | 'Never'
  readonly replicas: number
  /** The files of the session's workspace when absent. */
  readonly applications?: AgentApplications
  readonly access: 'least' | 'everything' | { readonly namespaces: readonly string[] }
  /** Only renders: nothing is applied. */
  readonly dryRun: boolean
}

export type AgentInstalled = {
  /** What was applied, or would be. */
  readonly objects: readonly string[]
  readonly yaml: string
  /** Applications that no rights could be found out for, and sources that a pod cannot reach. */
  readonly warnings: readonly string[]
}

/** The agent in a session's cluster. */
export const INSTALL_METHODS = {
  install: request<AgentInstallParams, AgentInstalled>('agent/install'),
  status: request<OfAgent, AgentStatus>('agent/status'),
  uninstall: request<OfAgent & { readonly keepRecords: boolean }, readonly string[]>('agent/uninstall'),
} as const

export const clusterEvent = new NotificationType<ToldEvent>('clusters/event')
