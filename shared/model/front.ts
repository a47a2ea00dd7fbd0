import type { Failure } from './failure.ts'
import type { Health } from './health.ts'
import type { OperationPhase } from './outcome.ts'
import type { ResourceId } from './kubernetes.ts'
import type { Revision } from './revision.ts'
import type { HistoryEntry, SyncCode } from './status.ts'
import type { Verdict } from './verdict.ts'

/** One application as lists show it: what a snapshot says, without its objects. */
export type ApplicationSummary = {
  readonly name: string
  readonly namespace: string
  readonly project: string
  readonly context: string
  /** Namespace that it goes to; empty where the manifests say. */
  readonly destinationNamespace: string
  readonly sync: SyncCode
  readonly health: Health
  readonly revision?: Pick<Revision, 'name' | 'sha' | 'subject' | 'author'>
  readonly verdict?: Verdict
  readonly counts: {
    readonly drifted: number
    readonly missing: number
    readonly extra: number
    readonly unknown: number
  }
  readonly resources: number
  /** Why it could not be compared. */
  readonly failure?: string
  readonly operation?: OperationPhase
  readonly automated: boolean
  readonly labels: Readonly<Record<string, string>>
  /** RFC 3339; empty while it was not compared yet. */
  readonly observedAt: string
}

/** One line of a pod's log. */
export type LogLine = {
  readonly pod: string
  readonly container: string
  /** RFC 3339; empty where the server gave none. */
  readonly time: string
  readonly text: string
}

/** One Kubernetes event about an object of an application. */
export type EventRow = {
  readonly uid: string
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  readonly about: ResourceId
  readonly source: string
  /** RFC 3339, of the last time. */
  readonly time: string
  readonly count: number
}

/** One sync of the past with what its commit says. */
export type HistoryDetail = {
  readonly entry: HistoryEntry
  readonly subject: string
  readonly author: string
  readonly verdict?: Verdict
}

/** What a person may ask a rehearsal to break. `on` names the object or the registry that it is about. */
export type Injection = { readonly kind: 'image-pull' | 'hook-fails' | 'quota' | 'webhook-down'; readonly on: string }

/** One bar of a timeline. Times are milliseconds from its start; no `endMs` means that it runs still. */
export type TimelineStep = {
  readonly id: ResourceId
  /** `PreSync`, `wave 2`: the lane. */
  readonly stage: string
  readonly startMs: number
  readonly endMs?: number
  /** `created`, `changed`, `replaced`, `pruned`, `kept`, `unchanged`, `failed`, `moved`, `running`, `pending`. */
  readonly result: TimelineResult
  readonly message: string
  readonly hook: boolean
}

export type TimelineResult =
  | 'created'
  | 'changed'
  | 'replaced'
  | 'pruned'
  | 'kept'
  | 'unchanged'
  | 'failed'
  | 'moved'
  | 'running'
  | 'pending'

/** From this moment on the object had this health. */
export type HealthPoint = { readonly id: ResourceId; readonly atMs: number; readonly health: Health }

export type Timeline = {
  readonly steps: readonly TimelineStep[]
  readonly health: readonly HealthPoint[]
  /** Where the now-line stands; absent once it is over. */
  readonly nowMs?: number
  readonly totalMs: number
  /** Nobody watched: the steps and what they did are known, not when. */
  readonly untimed?: true
}

/** A rehearsal as fronts show it. */
export type RehearsalShown = {
  readonly id: string
  readonly application: string
  readonly revision: string
  /** `embedded`, `kind`, a context... */
  readonly on: string
  /** RFC 3339. */
  readonly startedAt: string
  readonly passed: boolean
  /** One sentence: `would succeed: create 1, change 2; 4 pods restart`. */
  readonly summary: string
  /** Of exactly the plan that was rehearsed. */
  readonly planHash: string
  readonly timeline: Timeline
  /** What it means, a sentence each. */
  readonly effects: readonly string[]
  /** What it could not know, a sentence each. */
  readonly unknowns: readonly string[]
  /** Objects that are not what Git wants at the end, a sentence each. */
  readonly differences: readonly string[]
  /** For a pull request. */
  readonly markdown: string
}

export type ContextShown = {
  readonly name: string
  readonly cluster: string
  readonly server: string
  readonly user: string
  /** How the user proves itself: `token`, `certificate`, `exec`... */
  readonly auth: string
  readonly namespace: string
  /** The kubeconfig that it stands in; empty for the embedded cluster. */
  readonly file: string
  readonly current: boolean
  /** The one that this window acts on. */
  readonly chosen: boolean
  readonly production: boolean
  readonly simulated: boolean
}

export type ContextProbe = {
  readonly reachable: boolean
  readonly version: string
  /** Why not, in one line; empty where it is reachable. */
  readonly message: string
  readonly latencyMs: number
}

export type ClusterState =
  | 'running'
  | 'stopped'
  | 'creating'
  | 'starting'
  | 'stopping'
  | 'deleting'
  | 'broken'
  | 'unknown'

export type ClusterShown = {
  readonly name: string
  readonly provider: string
  readonly context: string
  readonly version: string
  readonly nodes: number
  readonly state: ClusterState
  /** Why it is broken, or what it waits for. */
  readonly message: string
  /** RFC 3339; empty where nobody knows. */
  readonly createdAt: string
  readonly applications: number
  /** False for clusters that Plumbline did not make: their name is typed before a deletion. */
  readonly ours: boolean
  readonly current: boolean
  readonly production: boolean
  readonly simulated: boolean
  readonly actions: readonly ClusterAction[]
}

export type ClusterAction = 'start' | 'stop' | 'delete' | 'use' | 'install-agent' | 'load-image' | 'export-logs'

export type ProviderShown = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly ready: boolean
  /** `kind 0.31.0, docker 28.1`. */
  readonly found: string
  /** What is missing, each with what to do. */
  readonly missing: readonly { readonly what: string; readonly todo: string; readonly url: string }[]
  /** The first three are asked for at once, the rest behind *More*. */
  readonly fields: readonly FormField[]
}

/** One question of a form, as data. */
export type FormField = {
  readonly key: string
  readonly title: string
  readonly description: string
  readonly kind: 'text' | 'secret' | 'number' | 'boolean' | 'choice' | 'list' | 'multiline'
  readonly choices: readonly string[]
  readonly value: FormValue
  readonly required: boolean
}

export type FormValue = string | number | boolean | readonly string[]

/** What a long task of a cluster tells: a step that begins or ends, or a line of the tool's own. */
export type TaskPart =
  | { readonly kind: 'step'; readonly name: string; readonly state: 'running' | 'done' | 'failed' }
  | { readonly kind: 'line'; readonly text: string }

export type RepositoryShown = {
  readonly url: string
  readonly kind: 'local' | 'https' | 'ssh'
  /** Folder on disk where it is a clone; empty otherwise. */
  readonly folder: string
  readonly branch: string
  /** `none`, `token of ada`, `ssh key id_ed25519`: never the secret. */
  readonly credential: string
  readonly applications: number
}

export type KeyShown = {
  readonly fingerprint: string
  readonly names: readonly string[]
  readonly format: string
  readonly file: string
  readonly notes: readonly string[]
}

export type WorkspaceShown = {
  readonly folder: string
  readonly name: string
  readonly current: boolean
  /** RFC 3339. */
  readonly openedAt: string
}

/** A filter and an order of the list that a person gave a name. */
export type SavedView = {
  readonly name: string
  readonly filter: string
  readonly sort: string
  readonly group: string
}

/** Where an Application could be made of. */
export type FolderOffer = {
  /** Relative to the repository's root. */
  readonly path: string
  readonly type: 'Directory' | 'Kustomize' | 'Helm'
  readonly objects: number
}

export type NewApplication = {
  readonly name: string
  readonly project: string
  readonly path: string
  readonly revision: string
  readonly context: string
  readonly namespace: string
  readonly createNamespace: boolean
  readonly automated: boolean
  readonly prune: boolean
  readonly selfHeal: boolean
  /** Where the Application file is written: relative to the repository's root. */
  readonly file: string
}

/** What the front can do beside drawing. */
export type FrontAbilities = {
  readonly front: 'vscode' | 'window' | 'browser'
  /** Manifests can be opened in an editor. */
  readonly openFiles: boolean
  /** An edit of a file lands in the person's own editor, where it can be undone (invariant 6). */
  readonly editFiles: boolean
  /** Folders can be picked in a dialog of the platform; otherwise the path is typed. */
  readonly pickFolders: boolean
  readonly version: string
}

export type WorkspaceState = {
  /** `starting` until the agent answered; `empty` where no Application was found. */
  readonly kind: 'none' | 'starting' | 'ready' | 'empty' | 'failed'
  readonly workspace: string
  readonly context: string
  readonly production: boolean
  readonly simulated: boolean
  /** Why it failed, or files that could not be read. */
  readonly failures: readonly Failure[]
}
