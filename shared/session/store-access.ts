import { parseJson, stringifyJson, type Json } from '../model/json.ts'
import type { Cluster, RawRequest } from '../kube/cluster.ts'
import { ClusterError } from '../kube/cluster-error.ts'
import type { Cancellable } from '../model/ports.ts'
import type { StoreClient } from '../store/store-client.ts'

/** The store's few calls, made to a cluster. */
export function storeClient(cluster: Cluster): StoreClient {
  const send = async (request: RawRequest, options: Cancellable): Promise<Json | undefined> => {
    try {
      return parseJson(await cluster.send(request, options))
    } catch (error) {
      if (ClusterError.is(error, 'not-found')) return undefined
      throw error
    }
  }
  return {
    get: async (path, options) => send({ method: 'GET', path }, options),
    create: async (path, body, options) => {
      try {
        await cluster.send(
          { method: 'POST', path: `${path}?fieldManager=plumbline-store`, body: stringifyJson(body) },
          options,
        )
        return true
      } catch (error) {
        if (ClusterError.is(error, 'already-exists')) return false
        throw error
      }
    },
    mergePatch: async (path, body, options) => {
      const contentType = 'application/merge-patch+json'
      const request = {
        method: 'PATCH',
        path: `${path}?fieldManager=plumbline-store`,
        body: stringifyJson(body),
        contentType,
      } as const
      return send(request, options)
    },
    delete: async (path, options) => void (await send({ method: 'DELETE', path }, options)),
  }
}
