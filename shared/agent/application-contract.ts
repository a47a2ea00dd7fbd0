import type { EventRow, HistoryDetail, LogLine } from '../model/front.ts'
import type { ResourceId } from '../model/kubernetes.ts'
import type { Plan } from '../model/plan.ts'
import type { ResourceStatus, HistoryEntry } from '../model/status.ts'
import type { Failure } from '../model/failure.ts'
import type { KeyedDiff } from '../view/host.ts'
import type { SyncResult } from './contract.ts'
import { request } from './request.ts'

type OfApplication = { readonly session: string; readonly application: string }

export type RollbackParams = OfApplication & {
  /** Of the history; the one before the last when absent. */
  readonly id?: number
  readonly prune: boolean
  /** Only the plan. */
  readonly dryRun: boolean
}

export type RollbackResult = SyncResult & { readonly entry: HistoryEntry }

export type ContainerRow = {
  readonly name: string
  readonly init: boolean
  /** `running`, or the reason why it waits or ended. */
  readonly state: string
  readonly restarts: number
}

export type LogParams = OfApplication & {
  readonly namespace: string
  readonly pod: string
  readonly container?: string
  /** Of the container that ran before the last restart. */
  readonly previous?: boolean
  /** Only the last so many lines. */
  readonly tail?: number
  /** RFC 3339; only what came after, so that following is asking again with the time of the last line. */
  readonly since?: string
}

export type DeleteParams = OfApplication & {
  readonly id: ResourceId
  /** Another object of the same name stays. What the last pass saw when absent. */
  readonly uid?: string
  /** `Foreground` when absent. */
  readonly propagation?: 'Foreground' | 'Background' | 'Orphan'
}

/** What a folder of manifests is, before there is an application of it. */
export type FolderFacts = {
  /** `Directory`, `Kustomize` or `Helm`; empty where it renders to nothing. */
  readonly type: string
  readonly objects: number
  /** Namespaces that its manifests name. */
  readonly namespaces: readonly string[]
  readonly problem?: string
  /** A name that fits Kubernetes' rules and that no application has. */
  readonly name: string
  /** Where an Application file would be put: beside those that are there. Relative to the root. */
  readonly file: string
}

/** The fields of the form behind a new Application. */
export type ApplicationForm = {
  readonly name: string
  readonly project: string
  /** Relative to the root; `.` for the whole repository. */
  readonly path: string
  /** `.` for the repository that is open. */
  readonly repoURL: string
  readonly targetRevision: string
  readonly namespace: string
  /** A context's name; empty for the one that is chosen. */
  readonly context: string
  readonly createNamespace: boolean
  readonly automated: boolean
  readonly prune: boolean
  readonly selfHeal: boolean
  readonly recurse: boolean
}

/** What a sync of a text that is perhaps not saved yet would change in the objects that it makes. */
export type EditPreview = {
  readonly application: string
  /** Of a pass over the files on disk and the text: places are places in the text. */
  readonly resources: readonly ResourceStatus[]
  readonly plan?: Plan
  /** Why the text cannot be rendered. */
  readonly failure?: Failure
}

export type PreviewParams = {
  readonly session: string
  /** Relative to the root. */
  readonly file: string
  readonly text: string
  /** Other files that are not saved, which count too. */
  readonly beside?: readonly { readonly file: string; readonly text: string }[]
}

/** What may be asked about one application besides its syncs. */
export const APPLICATION_METHODS = {
  /** Newest first. */
  history: request<OfApplication, readonly HistoryDetail[]>('application/history'),
  rollback: request<RollbackParams, RollbackResult>('application/rollback'),
  /** Asks whoever syncs the application to end it; false where nobody does. */
  terminate: request<OfApplication, boolean>('application/terminate'),
  /** Newest first. */
  events: request<OfApplication & { readonly id?: ResourceId }, readonly EventRow[]>('application/events'),
  containers: request<OfApplication & { readonly namespace: string; readonly pod: string }, readonly ContainerRow[]>(
    'application/containers',
  ),
  logs: request<LogParams, readonly LogLine[]>('application/logs'),
  /** Deletes an object of the application's tree, the very one that was seen. */
  deleteResource: request<DeleteParams, null>('application/deleteResource'),
  /** Unified hunks of the named objects, or of all that are drifted. */
  diff: request<OfApplication & { readonly keys?: readonly string[] }, readonly KeyedDiff[]>('application/diff'),
  /** What Git wants of one object, as YAML; empty where it does not want it. */
  desired: request<OfApplication & { readonly id: ResourceId }, string>('application/desired'),
  inspectFolder: request<{ readonly session: string; readonly folder: string }, FolderFacts>('folder/inspect'),
  /** The text of an Application file. */
  draft: request<ApplicationForm, string>('application/draft'),
  /** Writes a new Application file below the root. @returns its path from there */
  create: request<{ readonly session: string; readonly file: string; readonly form: ApplicationForm }, string>(
    'application/create',
  ),
  /** What a sync of a file's text, saved or not, would change; one entry for each application that reads the file. */
  preview: request<PreviewParams, readonly EditPreview[]>('file/preview'),
} as const
