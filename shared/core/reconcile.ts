import type { Application } from '../model/application.ts'
import { applyPlan } from './apply/apply-plan.ts'
import { prepareDesired } from './desired.ts'
import { findDrift } from './drift/find-drift.ts'
import { observeLive } from './observe.ts'
import { openOperation } from './operation/operation-log.ts'
import { pair } from './pair.ts'
import { inputsOf, startPass, type Ports, type ReconcileOptions } from './pass-context.ts'
import { planSync } from './plan.ts'
import { judgeSources, renderSources, resolveSources } from './sources.ts'
import { assess, assessFailure, type Pass } from './status.ts'
import { withNamespace } from './support.ts'

/**
 * One pass over one application: git -> verdict -> desired -> live -> drift -> plan -> apply -> status. Each stage takes
 * values and gives one; none calls an earlier one. What an apply changed is seen by the next pass.
 */
export async function reconcile(application: Application, ports: Ports, options: ReconcileOptions): Promise<Pass> {
  const pass = startPass(application, ports, options)
  try {
    const facts = await ports.cluster.describe(pass.cancel)

    // git: one checkout per source, read only.
    const checkouts = await resolveSources(pass)
    // verdict: what the signed-commit checker says of them, under the project's policy.
    const judgement = await judgeSources(pass, checkouts)

    // desired: manifests, as a sync would send them.
    const rendered = await renderSources(pass, checkouts, facts)
    const wanted = await prepareDesired(pass, rendered.manifests)

    // the sync that is under way: its own earlier passes, or what a killed one left.
    const log = await openOperation(pass, checkouts)

    // live: what the cluster has of the same kinds, and of what was applied before.
    const inventory = await ports.store.inventory(application.name, pass.cancel)
    const live = await observeLive(pass, wanted, inventory)
    const desired = await withNamespace(pass, wanted, live)

    // Nothing has moved since the last pass: it still holds.
    const inputs = inputsOf(pass, { desired, live, inventory, facts, checkouts, judgement })
    const known = options.sync === undefined ? pass.memory.passOver(inputs) : undefined
    if (known !== undefined) return known

    // drift: object by object, by proof, by memory, and by asking the server where neither knows.
    const pairs = pair(application, desired, live, inventory, pass.request.teardown)
    const drift = await findDrift(pass, pairs, inventory, facts.epoch)

    // plan: the whole sync as a value, refusals and what is held included.
    const { revision } = checkouts
    const planned = planSync(pass, pairs, drift, { desired, live, judgement, revision, operation: log?.operation })
    const { plan } = planned

    // apply: what of it may run now, or nothing when the pass only looks.
    const outcome = log === undefined ? undefined : await applyPlan(pass, planned, pairs, log)

    // status: everything a front shows.
    const found = await assess(pass, {
      checkouts,
      judgement,
      rendered,
      desired,
      live,
      inventory,
      pairs,
      drift,
      plan,
      outcome,
    })
    if (options.sync === undefined) pass.memory.keepPass(inputs, found)
    return found
  } catch (error) {
    if (options.signal?.aborted === true) throw error
    return assessFailure(pass, error)
  }
}
