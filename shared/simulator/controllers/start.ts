import type { ApiServer } from '../api-server.ts'
import type { StoreEvent } from '../storage/store.ts'
import { tableName } from '../storage/store.ts'
import { allControllers } from './all.ts'
import type { Controller, ControllerOptions, Setting } from './controller.ts'
import { Host } from './host.ts'
import { ensureNode } from './node.ts'
import { WorkQueue } from './work-queue.ts'

export interface StartOptions extends Partial<ControllerOptions> {
  /** Told of a controller that fails again and again. */
  readonly onError?: (error: unknown) => void
}

type Handler = (event: StoreEvent) => void

/** Runs the simulated controllers over a server until stopped. Time is the server's clock. */
export function startControllers(server: ApiServer, options: StartOptions = {}): { stop(): void } {
  const host = new Host(server)
  const queue = new WorkQueue(server.clock, options.onError ?? (() => {}))
  const times = { podStartMs: 100, podRunMs: 200, podStopMs: 50, ...definedTimes(options) }
  const setting: Setting = { host, queue, options: times }
  const controllers = allControllers(setting)
  const handlers = new Map<string, Handler[]>()
  for (const controller of controllers) register(controller, queue, handlers)
  const everywhere = controllers.flatMap(({ watchAll }) => watchAll ?? [])
  const deliver = (event: StoreEvent): void => {
    for (const handle of handlers.get(tableName(event.resource)) ?? []) handle(event)
    for (const handle of everywhere) handle(event)
  }
  const wakeAll = (): void => {
    host.index.rebuild()
    ensureNode(setting)
    for (const event of standing(host)) deliver(event)
  }
  const unsubscribe = server.store.subscribe({
    event(event) {
      host.index.event(event)
      deliver(event)
    },
    replaced: wakeAll,
  })
  wakeAll()
  return {
    stop() {
      unsubscribe()
      queue.stop()
    },
  }
}

function definedTimes({
  podStartMs,
  podRunMs,
  podStopMs,
  leavesPod,
  classlessVolumes,
  signer,
}: StartOptions): Partial<ControllerOptions> {
  return {
    ...(podStartMs !== undefined && { podStartMs }),
    ...(podRunMs !== undefined && { podRunMs }),
    ...(podStopMs !== undefined && { podStopMs }),
    ...(leavesPod !== undefined && { leavesPod }),
    ...(signer !== undefined && { signer }),
    ...(classlessVolumes !== undefined && { classlessVolumes }),
  }
}

function register(controller: Controller, queue: WorkQueue, handlers: Map<string, Handler[]>): void {
  queue.register(controller.name, (key) => controller.reconcile(key))
  for (const [resource, handle] of controller.watches) {
    const table = tableName(resource)
    handlers.set(table, [...(handlers.get(table) ?? []), handle])
  }
}

/** Everything that is stored, as if it had just been added. */
function* standing({ store }: Host): Iterable<StoreEvent> {
  for (const resource of store.resources()) {
    for (const object of store.list(resource)) {
      const { namespace = '', name = '', resourceVersion = '0' } = object.metadata
      const type = 'ADDED' as const
      yield { type, resourceVersion: Number(resourceVersion), resource, namespace, name, object, previous: undefined }
    }
  }
}
