import { setTimeout } from 'node:timers/promises'
import type { JsonClient } from './control-plane-client.ts'
import { nextStep } from './control-plane-pods.ts'
import type { Pod } from './control-plane-pods.ts'

/** A simulated scheduler and kubelet: no containers, only what they would write to the API. */
export interface Kubelet {
  stop(): Promise<void>
}

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: Pod
}

interface PodList {
  readonly metadata: { readonly resourceVersion: string }
  readonly items: readonly Pod[]
}

const PODS = '/api/v1/pods'

/** Brings every pod to the state that `nextStep` says, one request a step, until stopped. */
export function startKubelet(client: JsonClient): Kubelet {
  const controller = new AbortController()
  const { signal } = controller
  const tails = new Map<string, Promise<void>>()
  // Steps of one pod come one after the other; those of different pods side by side.
  const take = (pod: Pod): void => {
    const { uid } = pod.metadata
    const tail = (tails.get(uid) ?? Promise.resolve())
      .then(() => advance(client, pod, signal))
      .finally(() => {
        if (tails.get(uid) === tail) tails.delete(uid)
      })
    tails.set(uid, tail)
  }
  const running = follow(client, take, signal)
  const stop = async (): Promise<void> => {
    controller.abort()
    await Promise.all([running, ...tails.values()])
  }
  return { stop }
}

async function follow(client: JsonClient, take: (pod: Pod) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const list = (await client.request(PODS, { signal })).body as PodList
      for (const pod of list.items) take(pod)
      const from = encodeURIComponent(list.metadata.resourceVersion)
      for await (const line of client.lines(`${PODS}?watch=1&resourceVersion=${from}`, { signal })) {
        const event = line as WatchEvent
        if (event.type === 'ERROR') break
        if (event.type !== 'DELETED') take(event.object)
      }
    } catch {
      // The stream broke or the server is restarting: list again.
      await setTimeout(200, undefined, { signal }).catch(() => undefined)
    }
  }
}

// A refusal (gone, changed meanwhile, being deleted) is answered by the next event of that pod.
async function advance(client: JsonClient, pod: Pod, signal: AbortSignal): Promise<void> {
  const step = nextStep(pod)
  if (step === undefined || signal.aborted) return
  const { namespace, name } = pod.metadata
  const path = `/api/v1/namespaces/${namespace}/pods/${name}${step.subresource}`
  await client.request(path, { ...step.request, signal }).catch(() => undefined)
}
