import type { Json } from './json.ts'
import type { GroupKind } from './kubernetes.ts'
import type { Place } from './manifest.ts'

/** An Argo CD Application as the person wrote it. Field names are Argo CD's (`manifests/crds/application-crd.yaml`). */
export type Application = {
  readonly name: string
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly finalizers: readonly string[]
  readonly project: string
  readonly sources: readonly ApplicationSource[]
  readonly destination: Destination
  readonly syncPolicy: SyncPolicy
  readonly ignoreDifferences: readonly IgnoreDifference[]
  readonly revisionHistoryLimit: number
  /** The object as written, for the status printers. */
  readonly raw: Json
  /** Where it is written, when it comes from a file. */
  readonly place?: Place
}

export type ApplicationSource = {
  readonly repoURL: string
  /** Branch, tag, sha, `HEAD`, or `WORKTREE` for the files as they are on disk. */
  readonly targetRevision: string
  readonly path: string
  readonly chart?: string
  readonly ref?: string
  readonly directory?: DirectorySource
  readonly kustomize?: KustomizeSource
  readonly helm?: HelmSource
}

export type DirectorySource = {
  readonly recurse?: boolean
  readonly include?: string
  readonly exclude?: string
}

export type KustomizeSource = {
  readonly namePrefix?: string
  readonly nameSuffix?: string
  readonly images?: readonly string[]
  readonly commonLabels?: Readonly<Record<string, string>>
  readonly commonAnnotations?: Readonly<Record<string, string>>
  readonly namespace?: string
  readonly replicas?: readonly { readonly name: string; readonly count: number | string }[]
  readonly components?: readonly string[]
  readonly patches?: readonly Json[]
  readonly labelWithoutSelector?: boolean
  readonly labelIncludeTemplates?: boolean
  readonly forceCommonLabels?: boolean
  readonly forceCommonAnnotations?: boolean
  readonly commonAnnotationsEnvsubst?: boolean
}

export type HelmSource = {
  readonly releaseName?: string
  readonly namespace?: string
  readonly valueFiles?: readonly string[]
  readonly ignoreMissingValueFiles?: boolean
  readonly values?: string
  readonly valuesObject?: Json
  readonly parameters?: readonly { readonly name: string; readonly value: string; readonly forceString?: boolean }[]
  readonly fileParameters?: readonly { readonly name: string; readonly path: string }[]
  readonly skipCrds?: boolean
  readonly skipTests?: boolean
  readonly skipSchemaValidation?: boolean
  readonly passCredentials?: boolean
  readonly kubeVersion?: string
  readonly apiVersions?: readonly string[]
}

export type Destination = { readonly server?: string; readonly name?: string; readonly namespace: string }

export type SyncPolicy = {
  readonly automated?: AutomatedSync
  readonly syncOptions: readonly string[]
  readonly retry?: RetryPolicy
  readonly managedNamespaceMetadata?: {
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
}

export type AutomatedSync = {
  readonly enabled: boolean
  readonly prune: boolean
  readonly selfHeal: boolean
  readonly allowEmpty: boolean
}

export type RetryPolicy = {
  readonly limit: number
  /** A retry takes the newest commit instead of the one that the sync began with. */
  readonly refresh?: boolean
  readonly backoff: { readonly duration: string; readonly factor: number; readonly maxDuration: string }
}

export type IgnoreDifference = GroupKind & {
  readonly name?: string
  readonly namespace?: string
  readonly jsonPointers: readonly string[]
  readonly jqPathExpressions: readonly string[]
  readonly managedFieldsManagers: readonly string[]
}
