import type { ResourceId } from '../model/kubernetes.ts'
import type { Fault, Rehearsal, RehearsedEffect, RehearsedStep, StepResult, Unknown } from '../model/rehearsal.ts'
import { DRIFT_MARKS, HEALTH_MARKS, STEP_MARKS, SYNC_MARKS, type Mark } from './marks.ts'
import { duration } from './time.ts'
import { countOf, fullLabel } from './words.ts'

/** What a step came to; its word is what happened. */
export function resultMark({ kind }: StepResult): Mark {
  switch (kind) {
    case 'created':
      return { ...STEP_MARKS.create, word: 'created' }
    case 'changed':
      return { ...SYNC_MARKS.Synced, word: 'changed' }
    case 'replaced':
      return { ...STEP_MARKS.update, word: 'replaced' }
    case 'pruned':
      return { ...DRIFT_MARKS.extra, word: 'pruned' }
    case 'unchanged':
      return STEP_MARKS.none
    case 'kept':
      return { ...STEP_MARKS.none, word: 'kept' }
    case 'refused':
      return { ...HEALTH_MARKS.Degraded, word: 'refused' }
    case 'failed':
      return { ...HEALTH_MARKS.Degraded, word: 'failed' }
    case 'not-reached':
      return { ...HEALTH_MARKS.Unknown, word: 'not reached' }
    case 'hook-succeeded':
      return { ...SYNC_MARKS.Synced, word: 'hook succeeded' }
    case 'hook-failed':
      return { ...HEALTH_MARKS.Degraded, word: 'hook failed' }
  }
}

/** `PreSync`, `wave 2`, `PostSync wave 1`. */
export function stepStage({ phase, wave }: Pick<RehearsedStep, 'phase' | 'wave'>): string {
  if (phase === 'Sync') return `wave ${wave}`
  return wave === 0 ? phase : `${phase} wave ${wave}`
}

/** `would succeed: create 1, change 2; 4 pods restart`, `would fail: the PreSync hook Job migrate failed`. */
export function rehearsalSummary(rehearsal: Rehearsal): string {
  const { passed, failures, steps, effects } = rehearsal
  if (!passed) {
    const more = failures.length > 1 ? `, and ${failures.length - 1} more` : ''
    return `would fail: ${failures[0] ?? rehearsal.operation.message}${more}`
  }
  const told = countWords(steps)
  const consequences = effects.map(effectSentence)
  const after =
    consequences.length === 0 ? '' : `; ${consequences.slice(0, 2).join(', ')}${consequences.length > 2 ? ' …' : ''}`
  return `would succeed: ${told === '' ? 'nothing to do' : told}${after}`
}

/** `create 1, change 2, prune 1, run 2 hooks`. */
function countWords(steps: readonly RehearsedStep[]): string {
  const count = (...kinds: readonly StepResult['kind'][]): number =>
    steps.filter(({ result, hook }) => !hook && kinds.includes(result.kind)).length
  const hooks = steps.filter(({ hook }) => hook).length
  const words = [
    ['create', count('created')],
    ['change', count('changed')],
    ['replace', count('replaced')],
    ['prune', count('pruned')],
    ['keep', count('kept')],
  ] as const
  const told = words.filter(([, number]) => number > 0).map(([word, number]) => `${word} ${number}`)
  return [...told, ...(hooks === 0 ? [] : [`run ${countOf(hooks, 'hook')}`])].join(', ')
}

/** What the sync does to others, in one sentence. */
export function effectSentence(effect: RehearsedEffect): string {
  switch (effect.kind) {
    case 'pods-restarted':
      return `${countOf(effect.pods, 'pod')} of ${fullLabel(effect.id)} ${effect.pods === 1 ? 'restarts' : 'restart'}`
    case 'downtime': {
      const { id, fromMs, toMs, ready, needed, budget } = effect
      const span = toMs === undefined ? 'for as long as it was watched' : `for ${duration(toMs - fromMs)}`
      const rule = budget === undefined ? '' : `, ${fullLabel(budget)} asks for ${needed}`
      const what = ready === 0 ? 'has no ready pod' : `has only ${countOf(ready, 'ready pod')}`
      return `${fullLabel(id)} ${what} ${span}${rule}`
    }
    case 'endpoints-lost':
      return `${fullLabel(effect.id)} loses its ${effect.endpoints === 1 ? 'endpoint' : `${effect.endpoints} endpoints`}`
    case 'data-lost':
      return `${fullLabel(effect.id)} is deleted, and with it ${effect.what}`
    case 'replaced':
      return effect.fields.length === 0
        ? `${fullLabel(effect.id)} is deleted and made anew`
        : `${fullLabel(effect.id)} is deleted and made anew, since these cannot change: ${effect.fields.join(', ')}`
    case 'taken-along':
      return `${fullLabel(effect.id)} takes ${countOf(effect.objects.length, 'object')} along: ${labels(effect.objects)}`
    case 'quota-overrun':
      return `${fullLabel(effect.id)} is exceeded: ${effect.message}`
    case 'permission-lacking': {
      const { verb, resource, group, namespace } = effect
      const named = group === '' ? resource : `${resource}.${group}`
      return `the cluster does not allow you to ${verb} ${named}${namespace === '' ? '' : ` in ${namespace}`}`
    }
  }
}

/** What the rehearsal could not know, in one sentence. */
export function unknownSentence(unknown: Unknown): string {
  switch (unknown.kind) {
    case 'webhook': {
      const { name, mutating, objects } = unknown
      return `the ${mutating ? 'mutating' : 'validating'} webhook ${name} was not called for ${labels(objects)}`
    }
    case 'policy':
      return `the admission policy ${unknown.name} was not asked about ${labels(unknown.objects)}`
    case 'controller':
      return `nothing here acts on ${unknown.of.kind} objects as on the real cluster: ${labels(unknown.objects)}`
    case 'kind':
      return `the embedded server is not proven for ${unknown.of.kind}: ${labels(unknown.objects)}`
    case 'image':
      return `that ${unknown.image} starts was assumed; no pod that was seen runs it: ${labels(unknown.workloads)}`
    case 'version':
      return `the cluster is ${unknown.real}, the embedded server does as ${unknown.here} does`
    case 'no-nodes':
      return `pods never started, since nothing runs them there: ${labels(unknown.objects)}`
    case 'not-read':
      return `${unknown.what} could not be read: ${unknown.reason}`
    case 'secret':
      return `whether ${fullLabel(unknown.id)} differs: the recording's key is not on this machine`
    case 'plan-differs':
      return `${fullLabel(unknown.id)}: the real cluster would ${unknown.real}, here it was ${unknown.here}`
    case 'pod-times': {
      const told =
        unknown.measuredOn === 0 ? 'was assumed' : `is the median of ${countOf(unknown.measuredOn, 'live pod')}`
      return `how long pods really take to start: ${duration(unknown.startMs)} ${told}`
    }
  }
}

/** `image nginx:* cannot be pulled`. */
export function faultWords(fault: Fault): string {
  switch (fault.kind) {
    case 'image':
      return `image ${fault.pattern} cannot be pulled`
    case 'hook':
      return `hook ${fault.name} fails`
    case 'quota':
      return `no room for pods in ${fault.namespace}`
    case 'webhook':
      return `webhook ${fault.pattern} does not answer`
    case 'not-ready':
      return `pods of ${fault.name} never become ready`
    case 'crash':
      return `pods of ${fault.name} crash`
  }
}

/** `31 of 32 objects are of kinds on which the embedded server is proven`. */
export function provenSentence({ proven: { proven, total, unproven }, place }: Rehearsal): string {
  if (place.kind === 'cluster') return `rehearsed by the API server of ${place.context}`
  const of = `${proven} of ${countOf(total, 'object')}`
  const rest = unproven.length === 0 ? '' : `, all but ${unproven.map(({ kind }) => kind).join(', ')}`
  return `${of} ${total === 1 ? 'is of a kind' : 'are of kinds'} on which the embedded server is proven${rest}`
}

const MOST_LABELS = 3

function labels(ids: readonly ResourceId[]): string {
  const told = ids.slice(0, MOST_LABELS).map(fullLabel).join(', ')
  return ids.length > MOST_LABELS ? `${told} and ${ids.length - MOST_LABELS} more` : told
}
