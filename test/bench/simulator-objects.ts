import type { Json } from '../support/differential-step.ts'

/** One of four kinds in turn, as people write them: the n-th object of a cluster. */
export function objectAt(index: number): { readonly path: string; readonly body: Json } {
  const name = `object-${index}`
  const metadata = { name, namespace: 'default', labels: { app: name } }
  switch (index % 4) {
    case 0:
      return {
        path: `/apis/apps/v1/namespaces/default/deployments/${name}`,
        body: { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: deploymentSpec(name) },
      }
    case 1:
      return {
        path: `/api/v1/namespaces/default/services/${name}`,
        body: { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: { app: name }, ports: [{ port: 80 }] } },
      }
    case 2:
      return {
        path: `/api/v1/namespaces/default/configmaps/${name}`,
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'settings.yaml': 'a: 1\nb: 2\n', key: name } },
      }
    default:
      return {
        path: `/api/v1/namespaces/default/serviceaccounts/${name}`,
        body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
      }
  }
}

/** A Deployment's spec as both benches have it. */
export function deploymentSpec(name: string): Json {
  return {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'registry.example/app:1.0',
            ports: [{ containerPort: 8080 }],
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
            ],
            resources: { requests: { cpu: '100m', memory: '64Mi' } },
          },
        ],
      },
    },
  }
}
