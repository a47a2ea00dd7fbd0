import path from 'node:path'
import { connectCluster, type RawRequest } from '../../shared/kube/cluster.ts'
import { parseJson, stringifyJson, type Json } from '../../shared/model/json.ts'

/** Somebody else at a cluster, with a client of their own. */
export type OutsideHand = {
  readonly patch: (path: string, manager: string, body: Json) => Promise<void>
  readonly read: (path: string) => Promise<Json>
}

/** The kubeconfig of the embedded cluster of a state folder. */
export function embeddedKubeconfig(home: string): string {
  return path.join(home, 'plumbline', 'embedded', 'kubeconfig')
}

export function outsideHand(kubeconfig: string): OutsideHand {
  const send = async (request: RawRequest): Promise<string> => {
    const cluster = await connectCluster({ kubeconfig, watch: false })
    try {
      return await cluster.send(request, {})
    } finally {
      await cluster.dispose()
    }
  }
  return {
    patch: async (object, manager, body) => {
      const contentType = 'application/strategic-merge-patch+json'
      const target = `${object}?fieldManager=${manager}`
      await send({ method: 'PATCH', path: target, body: stringifyJson(body), contentType })
    },
    read: async (object) => parseJson(await send({ method: 'GET', path: object })),
  }
}
