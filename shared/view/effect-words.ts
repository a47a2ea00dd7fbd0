import type { Effect } from '../model/plan.ts'
import { objectLabel } from './words.ts'

/** What a step does beyond its own object, in one sentence. */
export function effectWords(effect: Effect): string {
  switch (effect.kind) {
    case 'pods-restart':
      return effect.pods === 1 ? '1 pod restarts' : `${effect.pods} pods restart`
    case 'replacement':
      return effect.fields.length === 0
        ? 'the object is deleted and made anew'
        : `the object is deleted and made anew, for ${effect.fields.join(', ')}`
    case 'data-loss':
      return `lost with it: ${effect.what}`
    case 'endpoints-lost':
      return `${objectLabel(effect.service)} loses its ${effect.endpoints === 1 ? 'endpoint' : `${effect.endpoints} endpoints`}`
  }
}
