import type { Pass } from '../core/status.ts'
import { resourceKey } from '../model/kubernetes.ts'
import type { ResourceStatus } from '../model/status.ts'
import { healedObject } from '../view/healed-object.ts'
import { shownObject } from '../view/shown-object.ts'
import { toYaml } from '../view/yaml.ts'
import type { ObjectSides } from './contract.ts'

/**
 * Both sides of the named objects, or of all that are drifted. The cluster's side decides what is shown, so that
 * defaults are no difference; values of Secrets are masked on both (invariant 4).
 */
export function sidesOf(pass: Pass, keys: readonly string[] | undefined): readonly ObjectSides[] {
  const wanted = keys === undefined ? undefined : new Set(keys)
  return pass.snapshot.resources
    .filter(({ id, drift }) => (wanted === undefined ? drift.state !== 'synced' : wanted.has(resourceKey(id))))
    .map((resource) => oneOf(pass, resource))
}

function oneOf(pass: Pass, { id, drift }: ResourceStatus): ObjectSides {
  const key = resourceKey(id)
  const live = pass.live.get(key)?.object
  const desired = pass.desired?.objects.get(key)?.object
  const common = { id, key, state: drift.state }
  if (live === undefined)
    return { ...common, live: '', desired: desired === undefined ? '' : toYaml(shownObject(desired)) }
  const shown = shownObject(live)
  if (drift.state === 'extra') return { ...common, live: toYaml(shown), desired: '' }
  const { before, after } = healedObject(shown, drift.fields)
  return { ...common, live: toYaml(before), desired: toYaml(after) }
}
