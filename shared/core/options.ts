import type { Application } from '../model/application.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { StepManner } from '../model/plan.ts'
import type { ApplyRequest } from '../model/ports.ts'
import type { SyncRequest } from './guards.ts'

const SYNC_OPTIONS_ANNOTATION = 'argocd.argoproj.io/sync-options'
const MIGRATION_MANAGER_ANNOTATION = 'argocd.argoproj.io/client-side-apply-migration-manager'
/** Helm's own word for Delete=false and Prune=false (Argo CD `docs/user-guide/helm.md`). */
const HELM_POLICY_ANNOTATION = 'helm.sh/resource-policy'

const FLAG = ['true', 'false']

/** Every sync option with its values (Argo CD `docs/user-guide/sync-options.md`). */
const SYNC_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['ApplyOutOfSyncOnly', FLAG],
  ['ClientSideApplyMigration', FLAG],
  ['CreateNamespace', FLAG],
  ['Delete', [...FLAG, 'confirm']],
  ['FailOnSharedResource', FLAG],
  ['Force', FLAG],
  ['Prune', [...FLAG, 'confirm']],
  ['PruneLast', FLAG],
  ['PrunePropagationPolicy', ['foreground', 'background', 'orphan']],
  ['Replace', FLAG],
  ['RespectIgnoreDifferences', FLAG],
  ['ServerSideApply', FLAG],
  ['SkipDryRunOnMissingResource', FLAG],
  ['Validate', FLAG],
])

/**
 * What a sync option says for an object: its own annotation, else the application. Undefined where neither speaks.
 */
export function syncOption(application: Application, object: KubeObject, name: string): string | undefined {
  return optionValue(optionsOf(object), name) ?? optionValue(application.syncPolicy.syncOptions, name)
}

export function hasSyncOption(application: Application, object: KubeObject, name: string, value: string): boolean {
  return syncOption(application, object, name) === value
}

/** Whether a sync option is set on the application itself. */
export function applicationOption(application: Application, name: string): string | undefined {
  return optionValue(application.syncPolicy.syncOptions, name)
}

/** Whether Git or the person keeps an object when its application is deleted or no longer has it. */
export function isKept(application: Application, object: KubeObject, name: 'Prune' | 'Delete'): boolean {
  return (
    hasSyncOption(application, object, name, 'false') ||
    object.metadata.annotations?.[HELM_POLICY_ANNOTATION] === 'keep'
  )
}

/** Whether the server refuses fields that it does not know. */
export function fieldValidationFor(application: Application, object: KubeObject): ApplyRequest['fieldValidation'] {
  return hasSyncOption(application, object, 'Validate', 'false') ? 'Ignore' : 'Strict'
}

/**
 * How a step writes its object: the options of object and application, and what the person asked for this once.
 * @param immutable true where the server refuses the change because the object would have to be another one
 */
export function mannerOf(
  application: Application,
  object: KubeObject,
  request: SyncRequest,
  immutable: boolean,
): StepManner {
  const on = (name: string): boolean => hasSyncOption(application, object, name, 'true')
  const off = (name: string): boolean => hasSyncOption(application, object, name, 'false')
  const replace = on('Replace') || request.replace === true
  const force = on('Force') || request.force === true
  const recreate = force && (replace || immutable)
  const method = recreate ? 'recreate' : replace ? 'replace' : off('ServerSideApply') ? 'client-side' : 'apply'
  return {
    method,
    validate: !off('Validate'),
    propagation: propagationOf(syncOption(application, object, 'PrunePropagationPolicy')),
    respectIgnored: on('RespectIgnoreDifferences'),
    migrateFrom: off('ClientSideApplyMigration') ? [] : migrationManagers(application, object),
  }
}

/** Jobs that are to run at every sync ask for both on themselves (Argo CD `docs/user-guide/sync-options.md`, Force Sync). */
export function isMadeAnew(object: KubeObject): boolean {
  if (object.metadata.annotations?.[SYNC_OPTIONS_ANNOTATION] === undefined) return false
  const own = optionsOf(object)
  return optionValue(own, 'Force') === 'true' && optionValue(own, 'Replace') === 'true'
}

function migrationManagers(application: Application, object: KubeObject): readonly string[] {
  const named =
    object.metadata.annotations?.[MIGRATION_MANAGER_ANNOTATION] ?? application.annotations[MIGRATION_MANAGER_ANNOTATION]
  return named === undefined || named === '' ? CLIENT_SIDE_APPLIERS : [...CLIENT_SIDE_APPLIERS, named]
}

/** The manager that writes for `ServerSideApply=false`: whatever it holds and Git lacks is removed by the next sync. */
export const CLIENT_SIDE_MANAGER = 'plumbline-client-side'

/** The managers of those who applied on the client's side before there was server-side apply. */
const CLIENT_SIDE_APPLIERS: readonly string[] = ['kubectl-client-side-apply', 'before-first-apply', CLIENT_SIDE_MANAGER]

function propagationOf(value: string | undefined): StepManner['propagation'] {
  return value === 'background' ? 'Background' : value === 'orphan' ? 'Orphan' : 'Foreground'
}

/** Names and values that no sync option has: a sentence for each. */
export function unknownOptions(options: readonly string[]): readonly string[] {
  return options.flatMap((option) => {
    const text = option.trim()
    if (text === '') return []
    const [name = '', value = ''] = text.split('=', 2)
    const values = SYNC_OPTIONS.get(name)
    if (values === undefined) return [`there is no sync option ${name}`]
    return values.includes(value) ? [] : [`the sync option ${name} is ${values.join(' or ')}, not ${value || 'empty'}`]
  })
}

export function optionsOf(object: KubeObject): readonly string[] {
  const text = object.metadata.annotations?.[SYNC_OPTIONS_ANNOTATION]
  return text === undefined ? [] : text.split(',')
}

function optionValue(options: readonly string[], name: string): string | undefined {
  for (const option of options) {
    const [key, value] = option.trim().split('=', 2)
    if (key === name) return value ?? ''
  }
  return undefined
}
