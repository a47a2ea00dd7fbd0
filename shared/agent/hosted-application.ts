import type { Pass } from '../core/status.ts'
import type { Cluster } from '../kube/cluster.ts'
import type { Loop } from '../loop.ts'
import type { Application } from '../model/application.ts'
import type { Failure } from '../model/failure.ts'
import { canonicalJson } from '../model/json.ts'
import { contextOf } from '../session/destination.ts'
import type { ApplicationHead } from './contract.ts'

/** One application of a session that is watched. */
export type Hosted = {
  readonly application: Application
  /** The application as written; another one is another application. */
  readonly written: string
  loop: Promise<Loop> | undefined
  cluster: Cluster | undefined
  pass: Pass | undefined
  local: boolean
  /** Why the last look failed, as long as none since has not. */
  failure: string | undefined
}

export function newlyHosted(application: Application): Hosted {
  const written = writtenAs(application)
  return {
    application,
    written,
    loop: undefined,
    cluster: undefined,
    pass: undefined,
    local: false,
    failure: undefined,
  }
}

export function writtenAs(application: Application | undefined): string {
  return application === undefined ? '' : `${canonicalJson(application.raw)}@${application.place?.file}`
}

export function headOf(application: Application, chosen: string): ApplicationHead {
  const { name, project, place } = application
  return { name, project, context: contextOf(application, chosen), file: place?.file ?? '', line: place?.line ?? 1 }
}

export async function endLoop({ loop }: Hosted): Promise<void> {
  const running = await loop?.catch(() => undefined)
  running?.dispose()
}

export function sameFailures(one: readonly Failure[], other: readonly Failure[]): boolean {
  return one.length === other.length && one.every((failure, index) => told(failure) === told(other[index]))
}

function told(failure: Failure | undefined): string {
  return `${failure?.reason}: ${failure?.message}`
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
