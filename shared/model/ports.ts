import type { Schema } from '../fields/schema.ts'
import type { Application, ApplicationSource } from './application.ts'
import type { Json } from './json.ts'
import type { GroupKind, GroupVersionKind, KubeObject, ResourceId } from './kubernetes.ts'
import type { LiveObject } from './live.ts'
import type { Manifest, Place } from './manifest.ts'
import type { Path } from './pointer.ts'
import type { HistoryEntry } from './status.ts'
import type { Operation, Outcome } from './outcome.ts'
import type { Revision } from './revision.ts'
import type { Verdict } from './verdict.ts'

/** The last field of every port's options. */
export type Cancellable = { readonly signal?: AbortSignal }

/** Git, read only. One per session; it keeps repositories open between passes. */
export interface SourcePort {
  /** @throws GitError when the repository or the revision cannot be had */
  resolve(source: ApplicationSource, options: Cancellable & { readonly revision?: string }): Promise<Checkout>
}

/** One revision of one repository, readable. Reading goes to the object store, or to the disk for `WORKTREE`. */
export interface Checkout {
  readonly revision: Revision
  /** Changes exactly when anything under the path changes: a tree's sha, or a digest of the files for `WORKTREE`. Undefined where the path does not exist. */
  treeId(path: string, options?: Cancellable): Promise<string | undefined>
  /** All files below a folder (or the file itself), sorted by path, without following links out of the repository. */
  list(path: string, options?: Cancellable): Promise<readonly FileEntry[]>
  /** @throws GitError `path-missing`, `path-outside`, `too-large` */
  read(path: string, options?: Cancellable): Promise<Uint8Array>
  /** A folder on disk with the files of the given paths, for tools that want one; the caller disposes it. */
  materialize(paths: readonly string[], options?: Cancellable): Promise<MaterializedFolder>
}

export type FileEntry = {
  /** Relative to the repository's root, with forward slashes. */
  readonly path: string
  readonly kind: 'file' | 'executable' | 'link' | 'submodule'
  /** Content's git blob id, or a digest for the working tree. */
  readonly id: string
  readonly size?: number
}

export type MaterializedFolder = { readonly folder: string; dispose(): Promise<void> }

/** The signed-commit checker under a policy. */
export interface VerifierPort {
  /** Undefined where no policy covers the application's source. */
  judge(
    application: Application,
    source: ApplicationSource,
    checkout: Checkout,
    options: Cancellable,
  ): Promise<Judgement | undefined>
}

/** `refusal` is the text of the condition that keeps the application from syncing. */
export type Judgement = { readonly verdict: Verdict; readonly refusal?: string }

/** Turns a source into manifests. */
export interface RendererPort {
  /** @throws RenderError with `reason`, and `place` for what is written wrong in a file */
  render(request: RenderRequest, options: Cancellable): Promise<Rendered>
  /** Where a field stands in its file: the field itself, or the nearest ancestor that the file has. */
  locate(manifest: Manifest, path: Path): Place | undefined
}

export type RenderRequest = {
  readonly application: Application
  readonly source: ApplicationSource
  readonly checkout: Checkout
  /** Checkouts of the application's other sources that have a `ref`, for `$ref/...` value files. */
  readonly references: ReadonlyMap<string, Checkout>
  readonly kubeVersion: string
  readonly apiVersions: readonly string[]
}

export type Rendered = {
  readonly manifests: readonly Manifest[]
  readonly type: 'Directory' | 'Kustomize' | 'Helm'
  /** Things that a person should know and that stop nothing. */
  readonly warnings: readonly string[]
}

/** One Kubernetes API server. */
export interface ClusterPort {
  /** The context's name. */
  readonly context: string
  /** @throws ClusterError */
  describe(options: Cancellable): Promise<ClusterFacts>
  /** Undefined where the server has no such kind. */
  kind(gvk: GroupVersionKind, options: Cancellable): Promise<KindFacts | undefined>
  /** Every namespaced kind that can be listed, each in the version that its group prefers. */
  listable(options: Cancellable): Promise<readonly GroupVersionKind[]>
  /** The served version that a kind is read in, by group and kind alone. */
  preferredKind(kind: GroupKind, options: Cancellable): Promise<KindFacts | undefined>
  /**
   * Everything of the given kinds in the given namespaces, as the list-and-watch cache has it, complete once.
   * The first call for a kind lists it and keeps watching.
   */
  observe(scope: ObserveScope, options: Cancellable): Promise<LiveView>
  /** One object as the server has it now, past the cache; undefined where it is absent. @throws ClusterError */
  read(gvk: GroupVersionKind, id: ResourceId, options: Cancellable): Promise<LiveObject | undefined>
  /** A dry run of an apply: what the object would be. @throws ClusterError */
  dryRunApply(request: ApplyRequest, options: Cancellable): Promise<LiveObject>
  /** A dry run of a JSON patch: what the object would be. @throws ClusterError */
  dryRunPatch(request: PatchRequest, options: Cancellable): Promise<LiveObject>
  apply(request: ApplyRequest, options: Cancellable): Promise<LiveObject>
  patch(request: PatchRequest, options: Cancellable): Promise<LiveObject>
  /** @throws ClusterError `conflict` when uid or resourceVersion has moved; absence is not an error */
  delete(request: DeleteRequest, options: Cancellable): Promise<void>
}

export type ClusterFacts = {
  readonly version: string
  /** Every served `group/version/Kind` and `group/version`, for helm's Capabilities. */
  readonly apiVersions: readonly string[]
  /** Changes whenever the server's mind about an unchanged object may have changed. */
  readonly epoch: string
}

export type KindFacts = {
  readonly gvk: GroupVersionKind
  /** Plural, as in URLs. */
  readonly resource: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  /** The structural schema, undefined where the server gives none. */
  readonly schema: Schema | undefined
}

export type ObserveScope = {
  readonly kinds: readonly GroupVersionKind[]
  /** Namespaces that matter; cluster-scoped kinds ignore them. */
  readonly namespaces: ReadonlySet<string>
}

/** A consistent look at the cache. Immutable: a later event makes a new one. */
export interface LiveView {
  get(id: ResourceId): LiveObject | undefined
  /** All of a kind. */
  ofKind(kind: GroupKind): readonly LiveObject[]
  /** Direct dependants by owner reference. */
  childrenOf(uid: string): readonly LiveObject[]
  /** Kinds that could not be listed, with why. */
  readonly failures: readonly { readonly gvk: GroupVersionKind; readonly message: string; readonly reason: string }[]
}

export type ApplyRequest = {
  /** The configuration to send; `metadata.uid` and `resourceVersion` in it pin the state that it was planned on. */
  readonly object: KubeObject
  readonly fieldManager: string
  readonly force: boolean
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore'
}

export type PatchOperation =
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'test' | 'add' | 'replace'; readonly path: string; readonly value: Json }

export type PatchRequest = {
  readonly gvk: GroupVersionKind
  readonly id: ResourceId
  readonly fieldManager: string
  readonly operations: readonly PatchOperation[]
}

export type DeleteRequest = {
  readonly gvk: GroupVersionKind
  readonly id: ResourceId
  readonly uid: string
  readonly resourceVersion?: string
  readonly propagation: 'Foreground' | 'Background' | 'Orphan'
}

/** What must outlive a run. Kept on the cluster. */
export interface StorePort {
  inventory(application: string, options: Cancellable): Promise<Inventory>
  /** Adds what is about to be applied, before it is. */
  record(application: string, entries: readonly InventoryEntry[], options: Cancellable): Promise<void>
  /** Forgets what is gone. */
  forget(application: string, ids: readonly ResourceId[], options: Cancellable): Promise<void>
  history(application: string, options: Cancellable): Promise<readonly HistoryEntry[]>
  /** The sync that is under way, or that a killed process left; `fresh` asks the cluster again. */
  running(application: string, options: Cancellable & { readonly fresh: boolean }): Promise<Operation | undefined>
  /** Takes the application for one sync, before its first write. @throws StoreError `busy` while another one is alive */
  begin(application: string, operation: Operation, options: Cancellable): Promise<void>
  /** Writes down how far it is, and that it is alive. @throws StoreError `lost` when another one has taken over */
  save(application: string, operation: Operation, options: Cancellable): Promise<{ readonly terminate: boolean }>
  /** This process works on the operation no longer, however it ended. */
  release(id: string): void
  /** Asks whoever syncs the application to end it. @returns false where nobody does */
  terminate(application: string, options: Cancellable): Promise<boolean>
  /** Keeps the outcome; what was begun has `ended`, and a sync of the whole application is `recorded` in the history. */
  finish(application: string, outcome: Outcome, how: FinishOptions, options: Cancellable): Promise<void>
  /** Writes down that the application was healthy after a sync of its history. */
  markHealthy(application: string, id: number, options: Cancellable): Promise<void>
  /** The last operation, if any is known. */
  lastOperation(application: string, options: Cancellable): Promise<Outcome | undefined>
  /** Forgets the application whole. */
  drop(application: string, options: Cancellable): Promise<void>
}

export type FinishOptions = {
  /** Entries that the history keeps. */
  readonly limit: number
  readonly recorded: boolean
  readonly ended: boolean
}

export type InventoryEntry = {
  readonly id: ResourceId
  readonly version: string
  /** Digest of the manifest as last applied. */
  readonly digest: string
}

export type Inventory = ReadonlyMap<string, InventoryEntry>

export interface ClockPort {
  /** Milliseconds since 1970. */
  now(): number
  sleep(ms: number, options: Cancellable): Promise<void>
}

/** jq, for `jqPathExpressions`. */
export interface JqPort {
  /** Paths that an expression selects in a value (`[path(EXPRESSION)]`). @throws JqError for an expression that is wrong or too slow */
  paths(expression: string, value: Json): Promise<readonly (readonly (string | number)[])[]>
}

/** A digest of a text, the same for the same text. */
export type Digest = (text: string) => string
