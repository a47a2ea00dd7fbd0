import { NotificationType } from 'vscode-jsonrpc/node'
import type { ApplicationSnapshot } from '../model/status.ts'
import type { Failure } from '../model/failure.ts'
import type { ResourceId } from '../model/kubernetes.ts'
import type { ObjectDrift } from '../model/drift.ts'
import type { Outcome, SyncEvent } from '../model/outcome.ts'
import type { Plan } from '../model/plan.ts'
import type { Verdict } from '../model/verdict.ts'
import { APPLICATION_METHODS } from './application-contract.ts'
import { REHEARSAL_METHODS } from './rehearsal-contract.ts'
import { request } from './request.ts'
import type { SnapshotPart } from './snapshot-parts.ts'
import { WINDOW_METHODS } from './window-contract.ts'

/** Raised whenever an older client or agent would misread a message. */
export const PROTOCOL = 2

export type Hello = { readonly protocol: number; readonly pid: number }

/** What a session is opened on. Clients that ask for the same share one. */
export type OpenParams = {
  readonly workspace: string
  /** `embedded` names the embedded cluster, empty the kubeconfig's current context. */
  readonly context: string
  readonly kubeconfig?: string
  readonly apps?: string
  readonly trusted: readonly string[]
}

export type Opened = {
  readonly session: string
  /** Top folder of the repository that the workspace lies in; the workspace itself where it lies in none. */
  readonly root: string
  readonly isRepository: boolean
}

type InSession = { readonly session: string }
type OfApplication = InSession & { readonly application: string }

/** One application of the workspace's files, before anything is known of it. */
export type ApplicationHead = {
  readonly name: string
  readonly project: string
  readonly context: string
  /** Where it is written: relative to the root. */
  readonly file: string
  readonly line: number
}

/** An application's snapshot as it crosses the wire. No Secret's value stands in it. */
export type SentSnapshot = {
  readonly snapshot: ApplicationSnapshot
  /** True where its manifests lie in the open repository, so that places in it are places in the workspace. */
  readonly local: boolean
}

/** What subscribers of a session are told as it happens. */
export type SessionEvent =
  | {
      readonly kind: 'applications'
      readonly applications: readonly ApplicationHead[]
      readonly failures: readonly Failure[]
    }
  | ({ readonly kind: 'snapshot' } & SentSnapshot)
  | { readonly kind: 'failed'; readonly application: string; readonly message: string }
  | { readonly kind: 'sync'; readonly application: string; readonly event: SyncEvent }

/** A session's event as it crosses the wire: snapshots go in parts, and only what is new in them. */
export type SentEvent = Exclude<SessionEvent, { readonly kind: 'snapshot' }> | SnapshotPart

export type SyncParams = OfApplication & {
  /** Another revision than the application names; `WORKTREE` for the files as they are. */
  readonly revision?: string
  readonly prune: boolean
  /** Keys of the resources that count; all when absent. */
  readonly only?: readonly string[]
  /** As the sync options of the same names, for every object and this once. */
  readonly force?: boolean
  readonly replace?: boolean
  /** Says yes to the prunes that ask for a confirmation. */
  readonly confirmed?: boolean
  /** Says yes to a prune of everything. */
  readonly allowEmpty?: boolean
  /** Times that a failed sync is tried anew. */
  readonly retryLimit?: number
  /** Only when a rehearsal of exactly this plan has passed. */
  readonly requireRehearsal?: boolean
}

export type SyncResult = { readonly snapshot: ApplicationSnapshot; readonly outcome?: Outcome; readonly plan?: Plan }

/** One object as text, on both sides of a comparison. Values of Secrets are masked. */
export type ObjectSides = {
  readonly id: ResourceId
  readonly key: string
  readonly state: ObjectDrift['state']
  /** The cluster's side; empty where the object is missing. */
  readonly live: string
  /** What a sync makes of it; empty where Git does not want the object. */
  readonly desired: string
}

export type ContextRow = {
  readonly name: string
  readonly cluster: string
  readonly server: string
  readonly namespace: string
  /** `kind-dev (exec)`; empty for the embedded cluster. */
  readonly user: string
  readonly simulated: boolean
  /** The kubeconfig's own choice. */
  readonly current: boolean
}

export type KeyRow = {
  readonly fingerprint: string
  readonly names: readonly string[]
  readonly format: string
  readonly file: string
  readonly notes: readonly string[]
}

export type VerifiedCommit = { readonly verdict: Verdict; readonly subject: string; readonly author: string }

/** Why a request failed, as data: `reason` is the word of the error that the agent met. */
export type FailureData = { readonly name: string; readonly reason: string }

/** Everything that may be asked of an agent, and the one notification that it sends. */
export const METHODS = {
  ...APPLICATION_METHODS,
  ...WINDOW_METHODS,
  ...REHEARSAL_METHODS,
  hello: request<{ readonly protocol: number }, Hello>('hello'),
  open: request<OpenParams, Opened>('session/open'),
  close: request<InSession, null>('session/close'),
  /** Starts the flow of `sessionEvent`s; what is known already comes at once. */
  subscribe: request<InSession, null>('session/subscribe'),
  /** Looks again at one application, or at all and at the files that define them; `hard` asks Git's remotes and the cluster anew. */
  refresh: request<InSession & { readonly application?: string; readonly hard: boolean }, null>('session/refresh'),
  plan: request<SyncParams, SyncResult>('application/plan'),
  sync: request<SyncParams, SyncResult>('application/sync'),
  /** The two sides of each drifted object, or of those that are named. */
  sides: request<OfApplication & { readonly keys?: readonly string[] }, readonly ObjectSides[]>('application/sides'),
  /** One object as the cluster has it now, as YAML; a Secret without its values. */
  live: request<OfApplication & { readonly id: ResourceId; readonly version: string }, string>('application/live'),
  manifests: request<OfApplication & { readonly source: 'git' | 'live' }, string>('application/manifests'),
  /** The text of a file as the application's revision has it; null where it has none. */
  committedText: request<OfApplication & { readonly file: string }, string | null>('application/committedText'),
  contexts: request<{ readonly kubeconfig?: string }, readonly ContextRow[]>('contexts'),
  startEmbedded: request<InSession, string>('embedded/start'),
  verify: request<{ readonly repository: string; readonly revision: string }, readonly VerifiedCommit[]>('verify'),
  keys: request<null, readonly KeyRow[]>('keys'),
  addKey: request<{ readonly file: string }, string>('keys/add'),
  removeKey: request<{ readonly id: string }, boolean>('keys/remove'),
} as const

export const sessionEvent = new NotificationType<InSession & { readonly event: SentEvent }>('session/event')
