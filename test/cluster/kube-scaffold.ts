import type { TestContext } from 'node:test'
import { ClusterError } from '../../shared/kube/cluster-error.ts'
import { connectCluster } from '../../shared/kube/cluster.ts'
import type { Cluster } from '../../shared/kube/cluster.ts'
import type { KubeObject } from '../../shared/model/kubernetes.ts'
import type { ApplyRequest } from '../../shared/model/ports.ts'

export const configMaps = { group: '', version: 'v1', kind: 'ConfigMap' }
export const deployments = { group: 'apps', version: 'v1', kind: 'Deployment' }

/** A client that ends with the test. */
export async function connected(
  t: TestContext,
  { kubeconfigPath }: { readonly kubeconfigPath: string },
  { watch = false, context }: { watch?: boolean; context?: string } = {},
): Promise<Cluster> {
  const cluster = await connectCluster({ kubeconfig: kubeconfigPath, watch, context, schemaFolder: false })
  t.after(() => cluster.dispose())
  return cluster
}

export function configMap(name: string, data: Readonly<Record<string, string>>, namespace = 'default'): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data }
}

export function deployment(name: string, replicas: number): KubeObject {
  const container = { name: 'web', image: 'nginx:1', ports: [{ containerPort: 80 }] }
  const template = { metadata: { labels: { app: name } }, spec: { containers: [container] } }
  const spec = { replicas, selector: { matchLabels: { app: name } }, template }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'default' }, spec }
}

/** An apply as Plumbline sends it. */
export function request(object: KubeObject, more: Partial<ApplyRequest> = {}): ApplyRequest {
  return { object, fieldManager: 'plumbline', force: true, fieldValidation: 'Strict', ...more }
}

/** Work that the server must refuse. @returns its error. */
export async function refusal(work: Promise<unknown>, reason: ClusterError['reason']): Promise<ClusterError> {
  try {
    await work
  } catch (error) {
    if (ClusterError.is(error, reason)) return error
    throw error
  }
  throw new Error(`it was not ${reason}`)
}

/** Waits until it is so. */
export async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 15_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
    await new Promise((resolve) => {
      setTimeout(resolve, 10)
    })
  }
}

export function idOf(name: string): { group: string; kind: string; namespace: string; name: string } {
  return { group: 'apps', kind: 'Deployment', namespace: 'default', name }
}

/** A custom kind with a set and a large integer in it. */
export function definition(): KubeObject {
  const properties = {
    parts: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    size: { type: 'integer', format: 'int64' },
  }
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.shop.example' },
    spec: {
      group: 'shop.example',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  }
}
