import type { KubeObject } from '../../model/kubernetes.ts'
import type { HookDeletePolicy, SyncPhase } from '../../model/plan.ts'

const HOOK = 'argocd.argoproj.io/hook'
const DELETE_POLICY = 'argocd.argoproj.io/hook-delete-policy'
const WAVE = 'argocd.argoproj.io/sync-wave'
const HELM_HOOK = 'helm.sh/hook'
const HELM_DELETE_POLICY = 'helm.sh/hook-delete-policy'
const HELM_WEIGHT = 'helm.sh/hook-weight'

const PHASES: ReadonlySet<string> = new Set<SyncPhase>([
  'PreDelete',
  'PreSync',
  'Sync',
  'PostSync',
  'PostDelete',
  'SyncFail',
])
const POLICIES: ReadonlySet<string> = new Set<HookDeletePolicy>([
  'BeforeHookCreation',
  'HookSucceeded',
  'HookFailed',
  'Never',
])

/** Helm's hooks as Argo CD maps them (`docs/user-guide/helm.md`); those without a phase never run here. */
const HELM_PHASES: ReadonlyMap<string, SyncPhase | undefined> = new Map([
  ['pre-install', 'PreSync'],
  ['pre-upgrade', 'PreSync'],
  ['post-install', 'PostSync'],
  ['post-upgrade', 'PostSync'],
  ['pre-delete', 'PreDelete'],
  ['post-delete', 'PostDelete'],
  ['pre-rollback', undefined],
  ['post-rollback', undefined],
  ['test', undefined],
  ['test-success', undefined],
  ['test-failure', undefined],
])
const HELM_POLICIES: ReadonlyMap<string, HookDeletePolicy> = new Map([
  ['before-hook-creation', 'BeforeHookCreation'],
  ['hook-succeeded', 'HookSucceeded'],
  ['hook-failed', 'HookFailed'],
])

/**
 * What an object's annotations say of its place in a sync:
 * - `plain`: it is applied and stays
 * - `skipped`: it is neither applied nor pruned (`hook: Skip`)
 * - `hook`: it runs in these phases; without any, it never runs
 */
export type Role =
  | { readonly kind: 'plain' }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'hook'; readonly phases: readonly SyncPhase[]; readonly policies: readonly HookDeletePolicy[] }

const PLAIN: Role = { kind: 'plain' }

/** Argo CD's annotation wins over Helm's; `crd-install` is an ordinary definition to Argo CD. */
export function roleOf(object: KubeObject): Role {
  const { annotations } = object.metadata
  if (annotations === undefined) return PLAIN
  const own = words(annotations[HOOK])
  if (own.length > 0) {
    if (own.includes('Skip')) return { kind: 'skipped' }
    return { kind: 'hook', phases: own.filter(isPhase), policies: policiesOf(object) }
  }
  const helm = words(annotations[HELM_HOOK])
  if (helm.length === 0 || helm.includes('crd-install')) return PLAIN
  const phases = new Set(helm.flatMap((word) => HELM_PHASES.get(word) ?? []))
  return { kind: 'hook', phases: [...phases], policies: policiesOf(object) }
}

function policiesOf({ metadata: { annotations = {} } }: KubeObject): readonly HookDeletePolicy[] {
  const own = words(annotations[DELETE_POLICY]).filter(isPolicy)
  const found = own.length > 0 ? own : words(annotations[HELM_DELETE_POLICY]).flatMap((w) => HELM_POLICIES.get(w) ?? [])
  return found.length > 0 ? found : ['BeforeHookCreation']
}

/** The wave that an object names, 0 where it names none or what it says is no whole number. */
export function waveOf({ metadata: { annotations } }: KubeObject): number {
  const text = annotations?.[WAVE] ?? annotations?.[HELM_WEIGHT]
  return text !== undefined && isWave(text) ? Number(text) : 0
}

/** Sentences about words in the annotations that mean nothing. */
export function roleProblems({ metadata: { annotations = {} } }: KubeObject): readonly string[] {
  const problems: string[] = []
  for (const word of words(annotations[HOOK]))
    if (word !== 'Skip' && !isPhase(word)) problems.push(`there is no hook ${word}`)
  for (const word of words(annotations[DELETE_POLICY]))
    if (!isPolicy(word)) problems.push(`there is no hook delete policy ${word}`)
  const hooked = words(annotations[HOOK]).length > 0
  for (const word of hooked ? [] : words(annotations[HELM_HOOK]))
    if (word !== 'crd-install' && !HELM_PHASES.has(word)) problems.push(`there is no Helm hook ${word}`)
  const wave = annotations[WAVE]
  if (wave !== undefined && !isWave(wave))
    problems.push(`its sync wave ${JSON.stringify(wave)} is no whole number; it counts as 0`)
  return problems
}

function words(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

function isPhase(word: string): word is SyncPhase {
  return PHASES.has(word)
}

function isPolicy(word: string): word is HookDeletePolicy {
  return POLICIES.has(word)
}

/** Go's int, as `strconv.Atoi` reads it; within what a number holds exactly. */
function isWave(text: string): boolean {
  return /^[+-]?\d{1,9}$/.test(text)
}
