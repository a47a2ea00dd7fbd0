import type { KindSample } from './differential-kinds.ts'
import { customKinds } from './differential-kinds-custom.ts'
import { policyKinds } from './differential-kinds-policy.ts'

const core = '/api/v1/namespaces/{{ns}}/'

const coreKinds: readonly KindSample[] = [
  {
    collection: `${core}configmaps`,
    apiVersion: 'v1',
    kind: 'ConfigMap',
    weight: 5,
    base: { data: { a: '1', b: '2', 'c.yaml': 'x: 1\n' }, binaryData: { bin: 'AAEC' } },
    values: {
      'data.a': ['2', '', null, 3, true],
      'data.d': ['new', 'x'],
      data: [{}, null, { 'bad key': 'x' }, { '..': 'x' }, { bin: 'clash' }, []],
      'binaryData.bin': ['AAEC', '***', 'AA'],
      immutable: [true, false, 'yes'],
    },
  },
  {
    collection: `${core}secrets`,
    apiVersion: 'v1',
    kind: 'Secret',
    weight: 3,
    base: { data: { a: 'aGk=' }, stringData: { pw: 'hunter2' } },
    values: {
      'data.a': ['aGk', 'aG8=', '%%%', null, ''],
      'stringData.pw': ['x', '', null],
      'stringData.a': ['wins'],
      type: [
        'Opaque',
        'kubernetes.io/tls',
        'kubernetes.io/dockerconfigjson',
        'kubernetes.io/basic-auth',
        'kubernetes.io/ssh-auth',
        'example.com/own',
        'kubernetes.io/service-account-token',
        'bootstrap.kubernetes.io/token',
      ],
      data: [
        { 'tls.crt': 'YQ==', 'tls.key': 'Yg==' },
        { '.dockerconfigjson': 'e30=' },
        { '.dockerconfigjson': 'bm90anNvbg==' },
        null,
      ],
      immutable: [true, false],
    },
  },
  {
    collection: `${core}services`,
    apiVersion: 'v1',
    kind: 'Service',
    weight: 4,
    base: {
      spec: {
        selector: { app: 'x' },
        ports: [
          { name: 'http', port: 80, targetPort: 8080 },
          { name: 'dns', port: 53, protocol: 'UDP', targetPort: 'dns' },
        ],
      },
    },
    values: {
      'spec.type': ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName', 'Odd'],
      'spec.clusterIP': ['None', '', '10.0.1', '1.2.3.4'],
      'spec.ports': [
        [],
        [{ port: 80 }],
        [{ port: 80 }, { port: 81 }],
        [{ port: 0 }],
        [{ port: 443, name: 'https', appProtocol: 'h2' }],
        [
          { name: 'a', port: 80 },
          { name: 'a', port: 81 },
        ],
        [
          { name: 'a', port: 80 },
          { name: 'b', port: 80 },
        ],
        [{ port: 80, protocol: 'ICMP' }],
        [{ port: 80, targetPort: 'Bad_Port' }],
        [{ port: 80, targetPort: 0 }],
      ],
      'spec.selector': [{ app: 'y' }, {}, null, { 'bad key': 'x' }],
      'spec.sessionAffinity': ['ClientIP', 'None', 'Odd'],
      'spec.sessionAffinityConfig': [{ clientIP: { timeoutSeconds: 5 } }, { clientIP: { timeoutSeconds: -1 } }],
      'spec.externalName': ['example.com', 'Bad_'],
      'spec.externalTrafficPolicy': ['Local', 'Cluster', 'Odd'],
      'spec.internalTrafficPolicy': ['Local', 'Odd'],
      'spec.ipFamilyPolicy': ['SingleStack', 'PreferDualStack', 'RequireDualStack'],
      'spec.ipFamilies': [['IPv4'], ['IPv6'], ['IPv4', 'IPv4']],
      'spec.loadBalancerClass': ['example.com/lb', 'bad class'],
      'spec.loadBalancerSourceRanges': [['10.0.0.0/8'], ['x']],
      'spec.allocateLoadBalancerNodePorts': [false, true],
      'spec.publishNotReadyAddresses': [true],
      'spec.externalIPs': [['1.2.3.4'], ['127.0.0.1'], ['x']],
      'spec.trafficDistribution': ['PreferClose', 'Odd'],
    },
    status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
  },
  {
    collection: `${core}serviceaccounts`,
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    base: { secrets: [{ name: 's' }], imagePullSecrets: [{ name: 'reg' }], automountServiceAccountToken: false },
    values: {
      secrets: [[], [{ name: 'a' }, { name: 'b' }]],
      imagePullSecrets: [[], [{}], [{ name: 'x' }]],
      automountServiceAccountToken: [true, 'x', null],
    },
  },
  {
    collection: `${core}persistentvolumeclaims`,
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    weight: 2,
    base: {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'fast' },
    },
    values: {
      'spec.accessModes': [[], ['ReadWriteMany'], ['Odd'], ['ReadWriteOncePod', 'ReadWriteOnce']],
      'spec.resources': [
        {},
        { requests: { storage: '2Gi' } },
        { requests: { storage: '0' } },
        { requests: { storage: '1Gi' }, limits: { storage: '1Mi' } },
        { requests: { storage: 'x' } },
      ],
      'spec.storageClassName': ['', 'slow', 'Bad_'],
      'spec.volumeMode': ['Block', 'Filesystem', 'Odd'],
      'spec.volumeName': ['pv-1'],
      'spec.selector': [{ matchLabels: { a: 'b' } }],
      'spec.dataSource': [
        { kind: 'PersistentVolumeClaim', name: 'other' },
        { kind: 'X', name: '' },
      ],
    },
    status: { phase: 'Bound', capacity: { storage: '1024Mi' } },
  },
  {
    collection: `${core}limitranges`,
    apiVersion: 'v1',
    kind: 'LimitRange',
    base: { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '500Gi' } }] } },
    values: {
      'spec.limits.0': [
        { type: 'PersistentVolumeClaim', max: { storage: '1Gi' }, min: { storage: '2Gi' } },
        { type: 'Pod', default: { cpu: '1' } },
        { type: 'PersistentVolumeClaim', default: { storage: '1' } },
        { max: { storage: '1' } },
      ],
    },
  },
  {
    collection: `${core}resourcequotas`,
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    base: { spec: { hard: { pods: '1000', 'requests.cpu': '500', 'count/configmaps': '1k' } } },
    values: {
      'spec.hard': [{ pods: '1.5' }, { bogus: '1' }, { 'limits.memory': '1Gi' }, { 'count/x.example.com': '-1' }],
      'spec.scopes': [['BestEffort'], ['Odd'], ['BestEffort', 'NotBestEffort']],
      'spec.scopeSelector': [{ matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['a'] }] }],
    },
    status: { used: { pods: '1' } },
  },
  {
    collection: `${core}endpoints`,
    apiVersion: 'v1',
    kind: 'Endpoints',
    base: { subsets: [{ addresses: [{ ip: '10.1.1.1' }], ports: [{ port: 80, name: 'a' }] }] },
    values: {
      subsets: [
        [],
        [{ addresses: [{ ip: 'x' }], ports: [{ port: 80 }] }],
        [{ addresses: [{ ip: '127.0.0.1' }] }],
        [{ ports: [{ port: 80 }] }],
        [{ addresses: [{ ip: '10.1.1.2' }, { ip: '10.1.1.1' }], ports: [{ port: 81 }, { port: 80 }] }],
      ],
    },
  },
  {
    collection: `${core}events`,
    apiVersion: 'v1',
    kind: 'Event',
    base: {
      involvedObject: { kind: 'Pod', name: 'p', namespace: '{{ns}}' },
      reason: 'R',
      message: 'm',
      type: 'Normal',
      count: 1,
    },
    values: {
      type: ['Warning', 'Odd'],
      involvedObject: [{ kind: 'Pod', name: 'p', namespace: 'other' }, {}],
      count: [2],
      reason: ['x'],
    },
  },
  {
    collection: '/api/v1/persistentvolumes',
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    clusterScoped: true,
    base: {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/x' },
        storageClassName: 'fast',
      },
    },
    values: {
      'spec.capacity': [{}, { storage: '2Gi' }, { storage: '0' }],
      'spec.accessModes': [[], ['ReadOnlyMany'], ['Odd']],
      'spec.hostPath': [{ path: '/y' }, { path: '../x' }, null],
      'spec.nfs': [{ server: 's', path: '/p' }],
      'spec.persistentVolumeReclaimPolicy': ['Delete', 'Retain', 'Odd'],
      'spec.volumeMode': ['Block', 'Odd'],
      'spec.nodeAffinity': [
        { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] } },
        {},
      ],
      'spec.mountOptions': [['ro']],
      'spec.claimRef': [{ namespace: '{{ns}}', name: 'x' }],
    },
    status: { phase: 'Available' },
  },
]

export const otherKinds: readonly KindSample[] = [...coreKinds, ...policyKinds, ...customKinds]
