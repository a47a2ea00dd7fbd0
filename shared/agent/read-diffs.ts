import type { Pass } from '../core/status.ts'
import { resourceKey, type ResourceId } from '../model/kubernetes.ts'
import { maskSecret } from '../view/hidden.ts'
import type { KeyedDiff } from '../view/host.ts'
import { objectDiff } from '../view/object-diff.ts'
import { toYaml } from '../view/yaml.ts'

/** Unified hunks of the named objects, or of all that are not in sync. Values of Secrets are masked (invariant 4). */
export function diffsOf(pass: Pass, keys: readonly string[] | undefined): readonly KeyedDiff[] {
  const wanted = keys === undefined ? undefined : new Set(keys)
  const now = Date.now()
  return pass.snapshot.resources.flatMap(({ id, drift }) => {
    const key = resourceKey(id)
    if (wanted === undefined ? drift.state === 'synced' : !wanted.has(key)) return []
    const live = pass.live.get(key)?.object
    const desired = pass.desired?.objects.get(key)?.object
    return [{ key, diff: objectDiff(drift, { live, desired }, { now }) }]
  })
}

/** What Git wants of an object, as YAML; empty where it does not want it. */
export function desiredYaml(pass: Pass, id: ResourceId): string {
  const desired = pass.desired?.objects.get(resourceKey(id))?.object
  return desired === undefined ? '' : toYaml(maskSecret(desired))
}
