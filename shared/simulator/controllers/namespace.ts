import { objectAt, textsAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import type { Controller, Setting } from './controller.ts'
import { resourceOf } from './garbage-collector.ts'
import type { Host } from './host.ts'
import { HostError } from './host.ts'
import type { Remains } from './namespace-status.ts'
import { withRemains } from './namespace-status.ts'
import { configMaps, namespaces, pods, serviceAccounts } from './resources.ts'

const rootCertificate = 'kube-root-ca.crt'
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'

/** Every namespace has its default account and the certificate of the server, and ends when its content is gone. */
export function namespaceController({ host, queue }: Setting): Controller {
  const name = 'namespaces'
  const again = (namespace: string): void => queue.add(name, namespace)
  return {
    name,
    watches: [
      [
        namespaces,
        ({ object, type }) => {
          if (type !== 'DELETED') again(object.metadata.name ?? '')
        },
      ],
      [
        serviceAccounts,
        ({ type, namespace }) => {
          if (type === 'DELETED') again(namespace)
        },
      ],
      [
        configMaps,
        ({ type, namespace, name: map }) => {
          if (type === 'DELETED' && map === rootCertificate) again(namespace)
        },
      ],
    ],
    watchAll({ type, namespace }) {
      if (type === 'DELETED' && namespace !== '' && isEnding(host, namespace)) again(namespace)
    },
    reconcile(key) {
      const live = host.get(namespaces, '', key)
      if (!live) return
      if (live.metadata.deletionTimestamp === undefined) furnish(host, key)
      else {
        const remains = empty(host, key)
        if (remains.resources.size === 0) finish(host, live)
        else {
          const told = withRemains(live, remains, host.now())
          if (told) tolerate(() => host.updateStatus(namespaces, told))
          queue.addAfter(name, key, 1000)
        }
      }
    },
  }
}

function isEnding(host: Host, namespace: string): boolean {
  return host.get(namespaces, '', namespace)?.metadata.deletionTimestamp !== undefined
}

function furnish(host: Host, namespace: string): void {
  const metadata = { name: 'default', namespace }
  const account: KubeObject = { apiVersion: 'v1', kind: 'ServiceAccount', metadata }
  if (!host.get(serviceAccounts, namespace, 'default')) tolerate(() => host.create(serviceAccounts, account))
  if (host.get(configMaps, namespace, rootCertificate)) return
  const map: KubeObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: rootCertificate, namespace, annotations: { 'kubernetes.io/description': description } },
    data: { 'ca.crt': '# simulated cluster\n' },
  }
  tolerate(() => host.create(configMaps, map))
}

function tolerate(write: () => unknown): void {
  try {
    write()
  } catch (error) {
    if (!HostError.is(error)) throw error
  }
}

/** Deletes what is left in a namespace, pods first; answers what is left all the same. */
function empty(host: Host, namespace: string): Remains {
  const left = { resources: new Map<string, number>(), finalizers: new Map<string, number>() }
  const resources = host.store
    .resources()
    .toSorted((a, b) => Number(b.resource === pods.resource) - Number(a.resource === pods.resource))
  for (const key of resources) {
    const resource = resourceOf(host, key)
    if (!resource?.namespaced) continue
    for (const object of host.store.list(key, namespace)) {
      if (object.metadata.deletionTimestamp === undefined) {
        tolerate(() => host.delete(resource, object, { propagationPolicy: 'Background' }))
      }
    }
    for (const { metadata } of host.store.list(key, namespace)) {
      count(left.resources, `${key.resource}.${key.group}`)
      for (const finalizer of metadata.finalizers ?? []) count(left.finalizers, finalizer)
    }
  }
  return left
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function finish(host: Host, live: KubeObject): void {
  const finalizers = textsAt(objectAt(live, 'spec'), 'finalizers').filter((name) => name !== 'kubernetes')
  const body = { ...live, spec: { ...objectAt(live, 'spec'), finalizers } }
  tolerate(() => host.call('PUT', namespaces, live, 'finalize', body))
}
