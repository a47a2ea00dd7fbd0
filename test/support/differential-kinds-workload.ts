import type { KindSample } from './differential-kinds.ts'
import { podSpec, podValues } from './differential-pod.ts'
import type { Json } from './differential-step.ts'

type Values = KindSample['values']

const under = (prefix: string, values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([path, options]) => [`${prefix}.${path}`, options]))

const template: Json = { metadata: { labels: { app: 'x' }, annotations: { note: 'n' } }, spec: podSpec }
const templateValues: Values = {
  ...under('spec.template.spec', podValues),
  'spec.template.metadata.labels': [{ app: 'x', more: 'y' }, { app: 'y' }, {}, { app: 'x', 'bad key': 'v' }],
  'spec.template.metadata.annotations': [{ 'kubectl.kubernetes.io/restartedAt': 'now' }, { UPPER: 'x' }],
  'spec.selector': [
    { matchLabels: { app: 'x' } },
    { matchLabels: { app: 'z' } },
    {},
    { matchExpressions: [{ key: 'app', operator: 'In', values: ['x'] }] },
    { matchExpressions: [{ key: 'app', operator: 'Exists', values: ['x'] }] },
    { matchLabels: { app: 'x', a: '' } },
  ],
}
const selector: Json = { matchLabels: { app: 'x' } }
const conditions: Json = [
  {
    type: 'Available',
    status: 'True',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    lastUpdateTime: '2026-01-01T00:00:00Z',
    reason: 'R',
    message: 'm',
  },
]

const apps = '/apis/apps/v1/namespaces/{{ns}}/'
const claimTemplate: Json = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}

export const workloadKinds: readonly KindSample[] = [
  {
    collection: `${apps}deployments`,
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    weight: 6,
    scale: true,
    base: { spec: { replicas: 2, selector, template } },
    values: {
      ...templateValues,
      'spec.replicas': [0, 1, 5, -1, '3', null, 1.5],
      'spec.strategy': [
        { type: 'Recreate' },
        { type: 'RollingUpdate', rollingUpdate: { maxSurge: '30%' } },
        { type: 'Recreate', rollingUpdate: { maxSurge: 1 } },
        { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
        { rollingUpdate: { maxUnavailable: '200%' } },
        { type: 'Odd' },
        {},
      ],
      'spec.paused': [true, false],
      'spec.minReadySeconds': [5, -1, 700],
      'spec.progressDeadlineSeconds': [60, 3, 0],
      'spec.revisionHistoryLimit': [0, 3, -1],
    },
    status: { observedGeneration: 1, replicas: 2, readyReplicas: 1, updatedReplicas: 2, conditions },
  },
  {
    collection: `${apps}statefulsets`,
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    weight: 2,
    scale: true,
    base: { spec: { replicas: 2, serviceName: 'headless', selector, template, volumeClaimTemplates: [claimTemplate] } },
    values: {
      ...templateValues,
      'spec.replicas': [0, 4, -1],
      'spec.serviceName': ['other', 'Bad_'],
      'spec.podManagementPolicy': ['Parallel', 'Odd'],
      'spec.updateStrategy': [
        { type: 'OnDelete' },
        { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
        { type: 'RollingUpdate', rollingUpdate: { partition: -1 } },
        { type: 'X' },
        { type: 'OnDelete', rollingUpdate: { partition: 1 } },
      ],
      'spec.volumeClaimTemplates': [
        [],
        [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } },
          },
        ],
      ],
      'spec.persistentVolumeClaimRetentionPolicy': [{ whenDeleted: 'Delete' }, { whenScaled: 'Odd' }],
      'spec.ordinals': [{ start: 1 }, { start: -1 }],
      'spec.minReadySeconds': [3, -3],
    },
    status: { observedGeneration: 1, replicas: 1, readyReplicas: 1, currentRevision: 'a', updateRevision: 'b' },
  },
  {
    collection: `${apps}daemonsets`,
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    base: { spec: { selector, template } },
    values: {
      ...templateValues,
      'spec.updateStrategy': [
        { type: 'OnDelete' },
        { rollingUpdate: { maxUnavailable: '10%' } },
        { rollingUpdate: { maxSurge: 1 } },
        { rollingUpdate: { maxUnavailable: 0 } },
        { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        { type: 'X' },
      ],
      'spec.minReadySeconds': [3, -3],
      'spec.revisionHistoryLimit': [1, -1],
    },
    status: { currentNumberScheduled: 1, numberMisscheduled: 0, desiredNumberScheduled: 1, numberReady: 1 },
  },
  {
    collection: `${apps}replicasets`,
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    scale: true,
    base: { spec: { replicas: 1, selector, template } },
    values: { ...templateValues, 'spec.replicas': [0, 3, -1], 'spec.minReadySeconds': [3, -3] },
    status: { replicas: 1, fullyLabeledReplicas: 1, observedGeneration: 1 },
  },
  {
    collection: '/api/v1/namespaces/{{ns}}/replicationcontrollers',
    apiVersion: 'v1',
    kind: 'ReplicationController',
    scale: true,
    base: { spec: { replicas: 1, selector: { app: 'x' }, template } },
    values: { ...templateValues, 'spec.selector': [{ app: 'x' }, { app: 'q' }, {}], 'spec.replicas': [0, 3, -1] },
    status: { replicas: 1 },
  },
  {
    collection: '/apis/batch/v1/namespaces/{{ns}}/jobs',
    apiVersion: 'batch/v1',
    kind: 'Job',
    weight: 2,
    base: { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
    values: {
      ...under('spec.template.spec', podValues),
      'spec.parallelism': [0, 2, -1],
      'spec.completions': [1, 3, -1],
      'spec.backoffLimit': [0, 6, -1],
      'spec.completionMode': ['Indexed', 'NonIndexed', 'Odd'],
      'spec.suspend': [true, false],
      'spec.ttlSecondsAfterFinished': [0, 60, -1],
      'spec.activeDeadlineSeconds': [10, -1],
      'spec.manualSelector': [true],
      'spec.selector': [{ matchLabels: { a: 'b' } }],
      'spec.podReplacementPolicy': ['Failed', 'TerminatingOrFailed', 'Odd'],
      'spec.podFailurePolicy': [
        { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }] },
        { rules: [{ action: 'X' }] },
      ],
      'spec.managedBy': ['example.com/x', 'x'],
    },
    status: { active: 1, startTime: '2026-01-01T00:00:00Z' },
  },
  {
    collection: '/apis/batch/v1/namespaces/{{ns}}/cronjobs',
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    weight: 2,
    base: {
      spec: {
        schedule: '*/5 * * * *',
        jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: 'OnFailure' } } } },
      },
    },
    values: {
      ...under('spec.jobTemplate.spec.template.spec', podValues),
      'spec.schedule': ['@daily', '0 0 * *', 'every day', '', '61 * * * *', 'TZ=UTC * * * * *'],
      'spec.timeZone': ['Europe/Berlin', 'Nowhere/X', ''],
      'spec.concurrencyPolicy': ['Forbid', 'Replace', 'Odd'],
      'spec.suspend': [true, false],
      'spec.startingDeadlineSeconds': [10, -1],
      'spec.successfulJobsHistoryLimit': [0, -1],
      'spec.failedJobsHistoryLimit': [2, -1],
      'spec.jobTemplate.spec.parallelism': [2, -1],
    },
    status: { lastScheduleTime: '2026-01-01T00:00:00Z' },
  },
  {
    collection: '/api/v1/namespaces/{{ns}}/pods',
    apiVersion: 'v1',
    kind: 'Pod',
    weight: 3,
    base: { spec: podSpec },
    values: under('spec', podValues),
    status: {
      phase: 'Running',
      podIP: '10.1.1.1',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    },
  },
  {
    collection: '/api/v1/namespaces/{{ns}}/podtemplates',
    apiVersion: 'v1',
    kind: 'PodTemplate',
    base: { template },
    values: under('template.spec', podValues),
  },
]
