import path from 'node:path'
import { onAbort } from '../../shared/base/abort.ts'
import type { Application } from '../../shared/model/application.ts'
import type { RehearsalEvent } from '../../shared/model/rehearsal.ts'
import { compareRehearsals } from '../../shared/rehearsal/compare.ts'
import { EmbeddedWorld } from '../../shared/rehearsal/embedded-world.ts'
import { parseFault } from '../../shared/rehearsal/faults.ts'
import { serveWorld } from '../../shared/rehearsal/serve-world.ts'
import type { World } from '../../shared/rehearsal/world.ts'
import type { Session } from '../../shared/session.ts'
import { rehearseOn, type PlaceOptions } from '../../shared/session/rehearse-on.ts'
import { shortRevision } from '../../shared/view/words.ts'
import { say, type ExitCode, type Io } from '../io.ts'
import type { RehearseFlags } from './app-rehearse.ts'
import { showComparison, showRehearsal } from './app-rehearse-output.ts'
import { revisionOf } from './revision-flags.ts'
import { DEGRADED_PATIENCE_MS, requestOf } from './sync-request-flags.ts'

/** One rehearsal, or two that are compared. */
export async function runRehearsal(
  session: Session,
  application: Application,
  flags: RehearseFlags,
  io: Io,
): Promise<ExitCode> {
  return flags.compare === undefined
    ? single(session, application, flags, io)
    : compared(session, application, flags, io)
}

async function single(session: Session, application: Application, flags: RehearseFlags, io: Io): Promise<ExitCode> {
  const { rehearsal, world, dispose } = await rehearseOn(
    flags.on,
    session,
    application,
    optionsOf(application, flags, io),
  )
  try {
    showRehearsal(io, flags.output, rehearsal)
    if (flags.record !== undefined) say(io, `recorded ${rehearsal.fill.objects} objects in ${flags.record}`)
    if (flags.keep === true) await keepUp(world, io)
    return rehearsal.passed ? 0 : 1
  } finally {
    await dispose()
  }
}

async function compared(session: Session, application: Application, flags: RehearseFlags, io: Io): Promise<ExitCode> {
  const options = optionsOf(application, flags, io)
  const one = await rehearseOn(flags.on, session, application, options)
  await one.dispose()
  const other = await rehearseOn(flags.on, session, application, { ...options, revision: flags.compare ?? '' })
  await other.dispose()
  const names = { one: shortRevision(one.rehearsal.revision), other: shortRevision(other.rehearsal.revision) }
  showComparison(io, flags.output, compareRehearsals(one.rehearsal, other.rehearsal), names)
  return one.rehearsal.passed ? 0 : 1
}

function optionsOf(application: Application, flags: RehearseFlags, io: Io): PlaceOptions {
  const { record, from } = flags
  return {
    ...revisionOf(flags),
    request: requestOf(flags, application),
    faults: (flags.fail ?? []).map(parseFault),
    signal: io.signal,
    report: (event: RehearsalEvent) => tell(event, flags, io),
    keep: flags.keep === true,
    ...(flags.rollbackOnDegraded === true ? { rollbackAfterMs: flags.timeout ?? DEGRADED_PATIENCE_MS } : {}),
    ...(record === undefined ? {} : { record: path.resolve(io.cwd, record) }),
    ...(from === undefined ? {} : { from: path.resolve(io.cwd, from) }),
  }
}

/** An embedded rehearsal is over before anybody could read how it goes; others tell. */
function tell(event: RehearsalEvent, { on }: RehearseFlags, io: Io): void {
  if (on === 'embedded') return
  if (event.kind === 'filling') say(io, event.what)
}

async function keepUp(world: World, io: Io): Promise<void> {
  const { place } = world
  if (place.kind === 'cluster') {
    say(io, `what was rehearsed is left on ${place.context}; look inside, and delete its namespaces when done:`)
    say(io, `  kubectl --context ${place.context} get all,events --all-namespaces`)
    return
  }
  if (!(world instanceof EmbeddedWorld)) return
  const served = await serveWorld(world)
  try {
    say(io, `the throw-away cluster is up at ${served.url} until you interrupt this; look inside:`)
    say(io, `  export KUBECONFIG=${served.kubeconfig}`)
    say(io, '  kubectl get all,events --all-namespaces')
    await new Promise<void>((resolve) => onAbort(io.signal, resolve))
  } finally {
    await served.dispose()
  }
}
