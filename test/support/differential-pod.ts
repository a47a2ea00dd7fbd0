import type { KindSample } from './differential-kinds.ts'
import type { Json } from './differential-step.ts'

type Values = KindSample['values']

/** A pod with a bit of everything. */
export const podSpec: { readonly [key: string]: Json } = {
  containers: [
    {
      name: 'web',
      image: 'nginx:1.27',
      ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP', name: 'dns' }],
      env: [
        { name: 'A', value: '1' },
        { name: 'B', valueFrom: { configMapKeyRef: { name: 'cm', key: 'k' } } },
        { name: 'C', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
      resources: { requests: { cpu: '0.1', memory: '64Mi' }, limits: { cpu: '1', memory: '0.5Gi' } },
      volumeMounts: [{ name: 'c', mountPath: '/etc/c' }],
      readinessProbe: { httpGet: { path: '/', port: 80 } },
      securityContext: { runAsNonRoot: true, capabilities: { drop: ['ALL'] } },
    },
    { name: 'side', image: 'busybox', args: ['a', 'b'] },
  ],
  initContainers: [{ name: 'init', image: 'busybox', command: ['true'] }],
  volumes: [
    { name: 'c', configMap: { name: 'cm' } },
    { name: 'e', emptyDir: {} },
  ],
  tolerations: [{ key: 'k', operator: 'Exists' }],
  nodeSelector: { disk: 'ssd' },
}

export const podValues: Values = {
  'containers.0.image': ['nginx:2', '', ' nginx', 'repo.example/a@sha256:abc'],
  'containers.0.name': ['web2', 'side', 'Bad_Name', ''],
  'containers.0.imagePullPolicy': ['Always', 'IfNotPresent', 'Sometimes'],
  'containers.0.ports': [
    [],
    [{ containerPort: 80, protocol: 'UDP' }],
    [{ containerPort: 0 }],
    [{ containerPort: 80, name: 'UPPER' }],
    [{ containerPort: 80 }, { containerPort: 80 }],
  ],
  'containers.0.env': [
    [],
    [{ name: '', value: 'x' }],
    [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ],
    [{ name: 'B', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    [{ name: 'Z', valueFrom: { fieldRef: { fieldPath: 'metadata.bogus' } } }],
  ],
  'containers.0.resources': [
    {},
    { requests: { cpu: '100m' } },
    { requests: { cpu: '2' }, limits: { cpu: '1' } },
    { limits: { memory: '1e3' } },
    { limits: { cpu: 'x' } },
    { limits: { 'example.com/gpu': '1' } },
    { requests: { cpu: -1 } },
  ],
  'containers.0.livenessProbe': [
    { exec: { command: ['ls'] } },
    { tcpSocket: { port: 'dns' }, periodSeconds: 5 },
    {},
    { httpGet: { port: 'nope-nope-nope-nope' } },
    { grpc: { port: 70000 } },
  ],
  'containers.0.volumeMounts': [
    [],
    [{ name: 'missing', mountPath: '/x' }],
    [{ name: 'c', mountPath: '' }],
    [
      { name: 'c', mountPath: '/a' },
      { name: 'e', mountPath: '/a' },
    ],
  ],
  'containers.0.securityContext': [
    { privileged: false, allowPrivilegeEscalation: false },
    { runAsUser: -1 },
    { capabilities: { add: ['NET_ADMIN'] } },
  ],
  'containers.0.command': [['a'], [], 'a'],
  'containers.0.lifecycle': [{ preStop: { sleep: { seconds: 5 } } }, { postStart: {} }],
  containers: [
    [],
    [{ name: 'only', image: 'x' }],
    [
      { name: 'a', image: 'x' },
      { name: 'a', image: 'y' },
    ],
  ],
  'containers.2': [{ name: 'extra', image: 'extra:1' }],
  volumes: [
    [],
    [{ name: 'c', emptyDir: { sizeLimit: '1Gi' } }],
    [{ name: 'c', secret: { secretName: 's', items: [{ key: 'a', path: '../x' }] } }],
    [{ name: 'c' }],
    [{ name: 'c', emptyDir: {}, hostPath: { path: '/x' } }],
    [
      {
        name: 'c',
        projected: {
          sources: [
            { configMap: { name: 'x' } },
            { downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' } }] } },
          ],
        },
      },
    ],
  ],
  restartPolicy: ['Always', 'Never', 'OnFailure', 'Maybe'],
  terminationGracePeriodSeconds: [0, 10, -1],
  dnsPolicy: ['Default', 'None', 'Odd'],
  serviceAccountName: ['sa', 'Bad_SA', ''],
  serviceAccount: ['other'],
  nodeName: ['node-1'],
  hostNetwork: [true, false],
  hostname: ['h', 'H_h'],
  priorityClassName: ['system-node-critical', 'none-such'],
  imagePullSecrets: [[{ name: 'reg' }], [{}], [{ name: 'a' }, { name: 'a' }]],
  topologySpreadConstraints: [
    [
      {
        maxSkew: 1,
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { a: 'b' } },
      },
    ],
    [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'X' }],
  ],
  affinity: [
    {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 100, podAffinityTerm: { topologyKey: 'host', labelSelector: {} } },
        ],
      },
    },
    { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }],
        },
      },
    },
  ],
  securityContext: [
    { runAsUser: 1000, fsGroup: 1 },
    { sysctls: [{ name: 'a b', value: 'x' }] },
    { seccompProfile: { type: 'Localhost' } },
    { supplementalGroups: [1, -1] },
  ],
  tolerations: [
    [],
    [{ operator: 'Exists', value: 'x' }],
    [{ key: 'a', effect: 'Bad' }],
    [{ key: 'a', effect: 'NoExecute', tolerationSeconds: 5 }],
  ],
  hostAliases: [[{ ip: '1.2.3.4', hostnames: ['a'] }], [{ ip: 'x' }]],
  activeDeadlineSeconds: [5, 0],
  os: [{ name: 'linux' }, { name: 'plan9' }],
}
