import type {
  ApplicationSummary,
  ClusterAction,
  ClusterShown,
  ContextProbe,
  ContextShown,
  EventRow,
  FolderOffer,
  FormField,
  FormValue,
  FrontAbilities,
  HistoryDetail,
  Injection,
  KeyShown,
  LogLine,
  NewApplication,
  ProviderShown,
  RehearsalShown,
  RepositoryShown,
  SavedView,
  TaskPart,
  TimelineStep,
  WorkspaceShown,
  WorkspaceState,
} from '../model/front.ts'
import type { ResourceId } from '../model/kubernetes.ts'
import type { Place } from '../model/manifest.ts'
import type { Outcome, SyncEvent } from '../model/outcome.ts'
import type { Plan } from '../model/plan.ts'
import type { ApplicationSnapshot } from '../model/status.ts'
import type { ObjectDiff } from './object-diff.ts'

type Method<P, R, Part = never> = { readonly params: P; readonly result: R; readonly part: Part }
type OfApplication = { readonly application: string }

/** `key` is the object's `resourceKey`. */
export type KeyedDiff = { readonly key: string; readonly diff: ObjectDiff }

/** What a person chose for a sync. */
export type SyncChoice = {
  readonly revision?: string
  readonly prune: boolean
  readonly force?: boolean
  readonly replace?: boolean
  readonly applyOutOfSyncOnly?: boolean
  /** Keys of the resources that count; all when absent. */
  readonly only?: readonly string[]
}

/** On a production context nothing is written before the person typed its name. */
export type Typed = { readonly typedName?: string }

export type PlanShown = {
  readonly plan: Plan
  readonly context: string
  /** The context's name has to be typed before the sync. */
  readonly production: boolean
}

/** The methods that the application panel needs: the editor and the window answer them all. */
export type PanelMethods = {
  readonly hello: Method<null, FrontAbilities>
  /** From now on `snapshot` events come; the answer is what is known, null before the first pass. */
  readonly 'application/watch': Method<OfApplication, SentSnapshot | null>
  readonly 'application/unwatch': Method<OfApplication, null>
  readonly 'application/refresh': Method<{ readonly application?: string; readonly hard: boolean }, null>
  readonly 'application/plan': Method<OfApplication & SyncChoice, PlanShown>
  /** Its steps come as `sync` events. A refusal is an error with the reason `production`, `busy`, `refused`... */
  readonly 'application/sync': Method<OfApplication & SyncChoice & Typed, Outcome | null>
  readonly 'application/terminate': Method<OfApplication, boolean>
  /** Unified hunks of the named objects, or of all that are drifted. */
  readonly 'application/diff': Method<OfApplication & { readonly keys?: readonly string[] }, readonly KeyedDiff[]>
  /** One object as YAML, Secrets masked. */
  readonly 'application/object': Method<
    OfApplication & { readonly id: ResourceId; readonly version: string; readonly side: 'live' | 'desired' },
    string
  >
  readonly 'application/history': Method<OfApplication, readonly HistoryDetail[]>
  /** A dry run answers the plan, a real one the outcome. */
  readonly 'application/rollback': Method<
    OfApplication & Typed & { readonly id: number; readonly prune: boolean; readonly dryRun: boolean },
    { readonly shown?: PlanShown; readonly outcome?: Outcome }
  >
  /** Runs until it is cancelled; each part is what is new, the first one all that is there. */
  readonly 'application/events': Method<OfApplication, null, readonly EventRow[]>
  /** Runs until it is cancelled; each part is some lines. */
  readonly 'application/logs': Method<
    OfApplication & { readonly pod: ResourceId; readonly container?: string; readonly tail: number },
    null,
    readonly LogLine[]
  >
  readonly 'application/rehearse': Method<
    OfApplication & {
      readonly revision?: string
      readonly prune: boolean
      readonly on: string
      readonly inject: readonly Injection[]
    },
    RehearsalShown,
    TimelineStep
  >
  /** Writes the field into the Application's ignoreDifferences; the place is where. */
  readonly 'application/ignore': Method<OfApplication & { readonly id: ResourceId; readonly path: string }, Place>
  readonly 'resource/delete': Method<
    OfApplication & Typed & { readonly id: ResourceId; readonly version: string; readonly uid: string },
    null
  >
  readonly 'open/place': Method<Place, null>
  readonly 'open/object': Method<OfApplication & { readonly id: ResourceId; readonly version: string }, null>
}

/** The methods that only the window has. */
export type WindowMethods = {
  readonly 'workspace/state': Method<null, WorkspaceState>
  readonly 'workspace/recent': Method<null, readonly WorkspaceShown[]>
  /** Without a folder the platform's dialog asks for it; null where the person changed their mind. */
  readonly 'workspace/open': Method<{ readonly folder?: string }, WorkspaceState | null>
  /** The tour's repository on the embedded cluster. */
  readonly 'workspace/tour': Method<null, WorkspaceState, TaskPart>
  readonly 'workspace/context': Method<{ readonly context: string }, WorkspaceState>
  /** From now on `applications` events come; the answer is all that is known. */
  readonly 'applications/watch': Method<null, readonly ApplicationSummary[]>
  readonly 'applications/views': Method<null, readonly SavedView[]>
  readonly 'applications/save-views': Method<{ readonly views: readonly SavedView[] }, null>
  readonly 'applications/folders': Method<null, readonly FolderOffer[]>
  readonly 'applications/create': Method<NewApplication, Place>
  readonly 'clusters/list': Method<null, readonly ClusterShown[]>
  readonly 'clusters/providers': Method<null, readonly ProviderShown[]>
  readonly 'clusters/create': Method<
    { readonly provider: string; readonly fields: Readonly<Record<string, FormValue>> },
    ClusterShown,
    TaskPart
  >
  readonly 'clusters/act': Method<
    Typed & {
      readonly name: string
      readonly provider: string
      readonly action: ClusterAction
      readonly argument?: string
    },
    null,
    TaskPart
  >
  readonly 'contexts/list': Method<null, readonly ContextShown[]>
  readonly 'contexts/probe': Method<{ readonly name: string }, ContextProbe>
  readonly 'contexts/use': Method<{ readonly name: string }, null>
  readonly 'contexts/rename': Method<{ readonly name: string; readonly to: string }, null>
  readonly 'contexts/namespace': Method<{ readonly name: string; readonly namespace: string }, null>
  readonly 'contexts/production': Method<{ readonly name: string; readonly production: boolean }, null>
  /** The answer undoes it when given to `contexts/undo`. */
  readonly 'contexts/delete': Method<Typed & { readonly name: string }, string>
  readonly 'contexts/undo': Method<{ readonly token: string }, null>
  readonly 'contexts/import': Method<{ readonly file: string }, readonly string[]>
  readonly 'rehearsals/list': Method<null, readonly RehearsalShown[]>
  readonly 'repositories/list': Method<null, readonly RepositoryShown[]>
  readonly 'repositories/add': Method<
    { readonly url: string; readonly username: string; readonly secret: string; readonly sshKey: string },
    null
  >
  readonly 'repositories/test': Method<{ readonly url: string }, { readonly ok: boolean; readonly message: string }>
  readonly 'repositories/remove': Method<{ readonly url: string }, null>
  readonly 'keys/list': Method<null, readonly KeyShown[]>
  /** The key's own text, armored or an ssh line. */
  readonly 'keys/add': Method<{ readonly text: string; readonly name: string }, string>
  readonly 'keys/remove': Method<{ readonly fingerprint: string }, boolean>
  readonly 'settings/list': Method<null, readonly FormField[]>
  readonly 'settings/set': Method<{ readonly key: string; readonly value: FormValue }, null>
}

export type HostMethods = PanelMethods & WindowMethods
export type HostMethod = keyof HostMethods
export type HostParams<M extends HostMethod> = HostMethods[M]['params']
export type HostResult<M extends HostMethod> = HostMethods[M]['result']
export type HostPart<M extends HostMethod> = HostMethods[M]['part']

export type SentSnapshot = {
  readonly snapshot: ApplicationSnapshot
  /** Its places are places in the open workspace. */
  readonly local: boolean
}

/** What a front tells the UI unasked. */
export type HostEvent =
  | ({ readonly kind: 'snapshot' } & SentSnapshot)
  | { readonly kind: 'sync'; readonly application: string; readonly event: SyncEvent; readonly at: string }
  | { readonly kind: 'failed'; readonly application: string; readonly message: string }
  /** Applications that are new or have changed, and names of those that are gone. */
  | { readonly kind: 'applications'; readonly changed: readonly ApplicationSummary[]; readonly gone: readonly string[] }
  | { readonly kind: 'workspace'; readonly state: WorkspaceState }
  /** Ask again: something in the list has changed. */
  | {
      readonly kind: 'stale'
      readonly what: 'clusters' | 'contexts' | 'repositories' | 'keys' | 'settings' | 'rehearsals'
    }
  /** The front wants a page shown: a menu, a deep link, a command. `#/applications/guestbook/diff`. */
  | { readonly kind: 'navigate'; readonly route: string }
  | { readonly kind: 'agent'; readonly state: 'running' | 'restarting'; readonly message: string }
  | { readonly kind: 'toast'; readonly severity: 'info' | 'warning' | 'error'; readonly text: string }

export type HostFailure = {
  readonly message: string
  /** A closed word of who failed: `production`, `busy`, `cancelled`, `unsupported`... */
  readonly reason: string
}

/** From the UI to its front. Crosses as text of `stringifyJson`, since integers beyond 2^53 are kept. */
export type ToHost =
  | { readonly kind: 'request'; readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly kind: 'cancel'; readonly id: number }

/** From the front to its UI. */
export type FromHost =
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'part'; readonly id: number; readonly part: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: HostFailure }
  | { readonly kind: 'event'; readonly event: HostEvent }
