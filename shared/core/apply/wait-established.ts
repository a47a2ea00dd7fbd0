import { isArray, isObject } from '../../model/json.ts'
import type { LiveObject } from '../../model/live.ts'
import type { Step } from '../../model/plan.ts'
import { gvkOf } from '../../model/kubernetes.ts'
import type { ApplyContext } from './apply-plan.ts'

const POLL_MS = 100
const PATIENCE_MS = 60_000

/** Definitions that a step brought must be served before the steps that use them start. */
export async function waitEstablished(steps: readonly Step[], context: ApplyContext): Promise<void> {
  const definitions = steps.filter((step) => step.id.kind === 'CustomResourceDefinition' && step.action !== 'prune')
  await Promise.all(definitions.map(async (step) => waitOne(step, context)))
}

async function waitOne(step: Step, context: ApplyContext): Promise<void> {
  const { clock, cluster, cancel } = context
  const deadline = clock.now() + PATIENCE_MS
  const gvk = gvkOf({ apiVersion: step.apiVersion, kind: step.id.kind })
  while (clock.now() < deadline) {
    const definition = await cluster.read(gvk, step.id, cancel)
    // A definition whose apply failed is not there; its step has said so.
    if (definition === undefined) return
    if (isEstablished(definition) && (await isServed(definition, context))) return
    context.report({ kind: 'waiting', reason: `${step.id.name} to be established`, ...waveOf(context) })
    await clock.sleep(POLL_MS, cancel)
  }
}

/** Discovery follows a definition with a delay of its own; until then nobody could say where its objects go. */
async function isServed({ object }: LiveObject, { cluster, cancel }: ApplyContext): Promise<boolean> {
  const spec = isObject(object['spec']) ? object['spec'] : {}
  const { group } = spec
  const kind = isObject(spec['names']) ? spec['names']['kind'] : undefined
  const versions = isArray(spec['versions']) ? spec['versions'].filter(isObject) : []
  const served = versions.find((version) => version['served'] === true)?.['name']
  if (typeof group !== 'string' || typeof kind !== 'string' || typeof served !== 'string') return true
  return (await cluster.kind({ group, version: served, kind }, cancel)) !== undefined
}

function waveOf({ plan: { progress } }: ApplyContext): { readonly wave: number; readonly waves: number } {
  return { wave: progress.wave, waves: progress.waves }
}

function isEstablished({ object }: LiveObject): boolean {
  const { status } = object
  const conditions = isObject(status) && isArray(status['conditions']) ? status['conditions'] : []
  return conditions.some(
    (condition) => isObject(condition) && condition['type'] === 'Established' && condition['status'] === 'True',
  )
}
