import { sha256 } from '../base/digest.ts'
import type { Ports } from '../core/pass-context.ts'
import type { Application } from '../model/application.ts'
import type { Placeholders } from '../rehearsal/placeholders.ts'
import { runOn, type Carried, type Door, type Run } from '../rehearsal/rehearse.ts'
import { withoutSecrets } from '../rehearsal/secret-free-renderer.ts'
import type { World } from '../rehearsal/world.ts'
import type { Session } from '../session.ts'
import { ClusterStore } from '../store/cluster-store.ts'
import { ClusterSettings } from './cluster-settings.ts'
import { withIgnoredBySettings } from './ignore-settings.ts'
import type { RehearseOptions } from './rehearse.ts'
import { syncOrGoBack } from './rollback-on-degraded.ts'
import { storeClient } from './store-access.ts'

/** Runs a session's line on a world: its sources, renderer and verifier, the world's cluster, store and clock. */
export async function runLine(
  world: World,
  session: Session,
  application: Application,
  placeholders: Placeholders,
  options: RehearseOptions,
): Promise<Run> {
  const { request, revision, report = ignore, signal, rollbackAfterMs } = options
  const cancel = signal === undefined ? {} : { signal }
  const { source, renderer, jq, verifier } = session.parts
  const store = new ClusterStore(storeClient(world.client), sha256, world.clock)
  const { projects, settings: written } = await session.applications(cancel)
  const clusterSettings = new ClusterSettings(world.cluster)
  try {
    const { settings, health } = await clusterSettings.rulesFor(written, cancel)
    const ports: Ports = {
      source,
      verifier: verifier.portFor(store),
      renderer: withoutSecrets(renderer, placeholders),
      cluster: world.cluster,
      store,
      jq,
      clock: world.clock,
      digest: sha256,
    }
    const named = revision === undefined ? {} : { revision }
    const whole = withIgnoredBySettings(application, settings)
    const guarded = async (door: Door): Promise<Carried> => goBackFrom(door, whole, store, world, options)
    return await runOn(world, {
      application: whole,
      ports,
      options: { ...health, ...named, projects, trusted: session.options.trusted },
      request,
      report,
      ...(rollbackAfterMs === undefined ? {} : { carryOut: guarded }),
      ...cancel,
    })
  } finally {
    clusterSettings.dispose()
  }
}

/** As a sync that goes back when it comes out degraded, in the world's time. */
async function goBackFrom(
  door: Door,
  application: Application,
  store: ClusterStore,
  { clock }: World,
  { request, revision, signal, rollbackAfterMs = 0 }: RehearseOptions,
): Promise<Carried> {
  const asked = {
    request: { ...request, dryRun: false },
    ...(signal === undefined ? {} : { signal }),
    ...(revision === undefined ? {} : { revision }),
  }
  const sleep = clock.sleep.bind(clock)
  const { pass, rolledBack } = await syncOrGoBack(
    { ...door, store: async () => store },
    application,
    asked,
    rollbackAfterMs,
    sleep,
  )
  return rolledBack === undefined ? { pass } : { pass, rolledBackTo: rolledBack.entry.revision }
}

function ignore(): void {}
