import { NotificationType } from 'vscode-jsonrpc/node'
import type { Injection, RehearsalShown } from '../model/front.ts'
import type { Rehearsal, RehearsalEvent } from '../model/rehearsal.ts'
import type { SyncParams } from './contract.ts'
import { request } from './request.ts'

export type RehearseParams = SyncParams & {
  /** The client's own word for this rehearsal: what it tells while it runs carries it. */
  readonly ticket: string
  /** `embedded`, `kind`, `minikube`, `control-plane`, or a context. */
  readonly on: string
  readonly inject: readonly Injection[]
}

/** What may be asked of rehearsals: of a sync that is to come, and of those that are kept on this machine. */
export const REHEARSAL_METHODS = {
  /** Tells `rehearsalEvent`s while it runs. */
  rehearse: request<RehearseParams, RehearsalShown>('application/rehearse'),
  /** Newest first. */
  rehearsals: request<{ readonly application?: string }, readonly RehearsalShown[]>('rehearsals/list'),
  /** The whole report; null where it is no longer kept. */
  rehearsal: request<{ readonly id: string }, Rehearsal | null>('rehearsals/get'),
} as const

export const rehearsalEvent = new NotificationType<{ readonly ticket: string; readonly event: RehearsalEvent }>(
  'rehearsals/event',
)
