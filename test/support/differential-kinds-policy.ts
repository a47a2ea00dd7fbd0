import type { KindSample } from './differential-kinds.ts'
import type { Json } from './differential-step.ts'

const target: Json = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } }
const network = '/apis/networking.k8s.io/v1/'

export const policyKinds: readonly KindSample[] = [
  {
    collection: `${network}namespaces/{{ns}}/ingresses`,
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    weight: 2,
    base: {
      spec: {
        rules: [
          {
            host: 'a.example',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'svc', port: { number: 80 } } } }],
            },
          },
        ],
        tls: [{ hosts: ['a.example'], secretName: 's' }],
      },
    },
    values: {
      'spec.rules.0.host': ['b.example', '*.example', 'BAD', '1.2.3.4', '*'],
      'spec.rules.0.http.paths': [
        [],
        [{ path: 'x', pathType: 'Exact', backend: { service: { name: 'svc', port: { name: 'http' } } } }],
        [{ backend: { service: { name: 'svc', port: { number: 80 } } } }],
        [{ path: '/a//b', pathType: 'Prefix', backend: { resource: { kind: 'X', name: 'y' } } }],
        [{ path: '/', pathType: 'Odd', backend: {} }],
        [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'svc', port: { number: 80, name: 'x' } } } }],
      ],
      'spec.defaultBackend': [
        { service: { name: 'svc', port: { number: 80 } } },
        {},
        { service: { name: '', port: {} } },
      ],
      'spec.ingressClassName': ['nginx', 'Bad_'],
      'spec.tls': [[], [{ hosts: ['BAD'] }], [{ secretName: 'Bad_' }]],
      'spec.rules': [[], null],
    },
    status: { loadBalancer: { ingress: [{ hostname: 'h.example' }] } },
  },
  {
    collection: `${network}namespaces/{{ns}}/networkpolicies`,
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    base: {
      spec: {
        podSelector: { matchLabels: { app: 'x' } },
        ingress: [
          {
            from: [{ podSelector: {} }, { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }],
            ports: [{ port: 80 }],
          },
        ],
      },
    },
    values: {
      'spec.podSelector': [{}, { matchExpressions: [{ key: 'a', operator: 'Bad' }] }],
      'spec.policyTypes': [['Egress'], ['Ingress', 'Egress'], ['Odd'], []],
      'spec.egress': [
        [],
        [{}],
        [{ to: [{ ipBlock: { cidr: 'nope' } }] }],
        [{ to: [{}] }],
        [
          {
            ports: [
              { port: 'http', protocol: 'SCTP' },
              { port: 80, endPort: 70 },
            ],
          },
        ],
      ],
      'spec.ingress.0.ports': [[{ port: 'x'.repeat(20) }], [{ protocol: 'X', port: 1 }], [{ endPort: 80 }]],
      'spec.ingress.0.from': [
        [{ namespaceSelector: {}, ipBlock: { cidr: '1.2.3.4/32' } }],
        [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/8'] } }],
      ],
    },
  },
  {
    collection: `${network}ingressclasses`,
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    clusterScoped: true,
    base: { spec: { controller: 'example.com/c' } },
    values: {
      'spec.controller': ['example.com/d', 'x', ''],
      'spec.parameters': [
        { kind: 'X', name: 'y' },
        { scope: 'Namespace', kind: 'X', name: 'y' },
        { apiGroup: 'a.b', kind: 'X', name: 'y', scope: 'Odd' },
      ],
    },
  },
  {
    collection: '/apis/policy/v1/namespaces/{{ns}}/poddisruptionbudgets',
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    base: { spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } } },
    values: {
      'spec.minAvailable': ['50%', 0, -1, '500%', 'x', null],
      'spec.maxUnavailable': [1, '10%', -1],
      'spec.selector': [{}, { matchLabels: { 'bad key': 'x' } }],
      'spec.unhealthyPodEvictionPolicy': ['AlwaysAllow', 'Odd'],
    },
    status: { disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, observedGeneration: 1 },
  },
  {
    collection: '/apis/autoscaling/v2/namespaces/{{ns}}/horizontalpodautoscalers',
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    weight: 2,
    base: {
      spec: {
        ...(target as object),
        minReplicas: 1,
        maxReplicas: 5,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
        ],
      },
    },
    values: {
      'spec.minReplicas': [2, 0, -1, 9],
      'spec.maxReplicas': [1, 0, 10],
      'spec.metrics': [
        [],
        [{ type: 'Odd' }],
        [{ type: 'Resource' }],
        [{ type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '0.5Gi' } } }],
        [{ type: 'External', external: { metric: { name: 'q' }, target: { type: 'Value', value: '10' } } }],
        [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } }],
      ],
      'spec.behavior': [
        { scaleDown: { stabilizationWindowSeconds: 5 } },
        { scaleUp: { policies: [{ type: 'Pods', value: 0, periodSeconds: 10 }] } },
        { scaleUp: { stabilizationWindowSeconds: 5000 } },
        { scaleUp: { selectPolicy: 'Odd' } },
      ],
      'spec.scaleTargetRef': [{ kind: 'Deployment', name: '' }, { kind: 'X/y', name: 'a' }, {}],
    },
    status: { currentReplicas: 1, desiredReplicas: 1, currentMetrics: null, conditions: [] },
  },
  {
    collection: '/apis/rbac.authorization.k8s.io/v1/namespaces/{{ns}}/roles',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    base: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }] },
    values: {
      rules: [
        [],
        null,
        [{ verbs: ['get'] }],
        [{ apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a'], verbs: [] }],
        [{ nonResourceURLs: ['/x'], verbs: ['get'] }],
      ],
    },
  },
  {
    collection: '/apis/rbac.authorization.k8s.io/v1/namespaces/{{ns}}/rolebindings',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    base: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'ServiceAccount', name: 'sa' },
        { kind: 'User', name: 'u' },
      ],
    },
    values: {
      roleRef: [
        { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        { kind: 'Role', name: 'other' },
        { apiGroup: 'x', kind: 'Odd', name: '' },
      ],
      subjects: [
        [],
        [{ kind: 'Odd', name: 'x' }],
        [{ kind: 'ServiceAccount', name: 'Bad_', namespace: '{{ns}}' }],
        [{ kind: 'Group', name: 'g' }],
      ],
    },
  },
  {
    collection: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    clusterScoped: true,
    base: { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get'] }] },
    values: {
      rules: [
        [],
        [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }],
        [{ nonResourceURLs: ['/x'], resources: ['pods'], apiGroups: [''], verbs: ['get'] }],
      ],
      aggregationRule: [{ clusterRoleSelectors: [{ matchLabels: { agg: 'true' } }] }, { clusterRoleSelectors: [] }],
    },
  },
  {
    collection: '/apis/storage.k8s.io/v1/storageclasses',
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    clusterScoped: true,
    base: { provisioner: 'example.com/p', parameters: { type: 'x' } },
    values: {
      provisioner: ['example.com/q', 'Bad Name', ''],
      parameters: [{ a: 'b' }, { '': 'x' }],
      reclaimPolicy: ['Retain', 'Odd'],
      volumeBindingMode: ['WaitForFirstConsumer', 'Odd'],
      allowVolumeExpansion: [true],
      mountOptions: [['ro']],
    },
  },
  {
    collection: '/apis/scheduling.k8s.io/v1/priorityclasses',
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    clusterScoped: true,
    base: { value: 100, description: 'x' },
    values: { value: [200, 2_000_000_000, -5], preemptionPolicy: ['Never', 'Odd'], description: ['y'] },
  },
  {
    collection: '/apis/coordination.k8s.io/v1/namespaces/{{ns}}/leases',
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    base: { spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' } },
    values: {
      'spec.leaseDurationSeconds': [0, 30, -1],
      'spec.leaseTransitions': [1, -1],
      'spec.holderIdentity': ['you', '', null],
      'spec.renewTime': ['2026-01-01T00:00:00Z', 'yesterday'],
    },
  },
  {
    collection: '/apis/discovery.k8s.io/v1/namespaces/{{ns}}/endpointslices',
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    base: {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: true } }],
      ports: [{ port: 80 }],
    },
    values: {
      addressType: ['IPv6', 'FQDN', 'Odd'],
      endpoints: [
        [],
        [{ addresses: ['x'] }],
        [{ addresses: [] }],
        [{ addresses: ['10.1.2.4'], hostname: 'Bad_', nodeName: 'n' }],
      ],
      ports: [
        [],
        [
          { port: 80, name: 'a' },
          { port: 81, name: 'a' },
        ],
        [{ name: 'BAD', port: 1 }],
      ],
    },
  },
]
