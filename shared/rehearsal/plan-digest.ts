import { sha256 } from '../base/digest.ts'
import type { DesiredState } from '../core/desired.ts'
import type { SyncRequest } from '../core/guards.ts'
import { canonicalJson, type Json } from '../model/json.ts'
import { resourceKey } from '../model/kubernetes.ts'
import type { Plan, Step } from '../model/plan.ts'

/**
 * One text for one plan: what would be written, to which object in which state, in which order, as what request. A status
 * that moves changes nothing about it; a field, an object or a commit does.
 * @param cluster says which cluster it is for, whatever its context is called today
 */
export function planDigest(
  plan: Plan,
  desired: DesiredState | undefined,
  request: SyncRequest,
  cluster: string,
): string {
  const wanted = new Map<string, string>()
  for (const { key, digest } of desired?.objects.values() ?? []) wanted.set(key, digest)
  const hooks = (desired?.hooks ?? []).map(({ key, digest }) => [key, digest])
  const steps = plan.steps.filter(({ action }) => action !== 'none').map((step) => stepText(step, wanted))
  const said = { prune: request.prune, force: request.force === true, replace: request.replace === true }
  return sha256(canonicalJson([plan.application, cluster, plan.revision, said, steps, hooks]))
}

function stepText(step: Step, wanted: ReadonlyMap<string, string>): Json {
  const { id, action, phase, wave, manner, fields, uid, resourceVersion, readiness, hook } = step
  // The name that a hook is given is another one each time; its manifest is told apart.
  const key = hook === undefined ? resourceKey(id) : id.kind
  // The values of a Secret are not told, so that only its version says that one has moved; it has no status.
  const version = id.kind === 'Secret' && id.group === '' ? (resourceVersion ?? '') : ''
  return [
    key,
    action,
    phase,
    wave,
    manner.method,
    manner.propagation,
    uid ?? '',
    version,
    hook === undefined ? '' : 'hook',
    readiness.kind === 'refused' ? readiness.rule : '',
    wanted.get(key) ?? '',
    fields.map(({ path, kind, live, desired }) => [path, kind, live, desired]),
  ]
}
