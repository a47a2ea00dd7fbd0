import type { Files, Scenario } from './rehearsal-scenario.ts'
import { added, both, edited, same } from './rehearsal-scenarios-corpora.ts'
import {
  budget,
  claim,
  custom,
  daemonSet,
  definition,
  quota,
  secret,
  slow,
  specOf,
  statefulSet,
  webhook,
} from './rehearsal-scenario-objects.ts'
import { configMap, deployment, hook, job, wave } from './sync-objects.ts'

const GUESTBOOK = 'argocd-example-apps/guestbook'
const DEPLOYMENT = 'guestbook-ui-deployment.yaml'

const file = (...objects: readonly object[]): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects })
const more = (...objects: readonly object[]): ((files: Files) => Files) => added({ 'more.json': file(...objects) })
const only =
  (...objects: readonly object[]): (() => Files) =>
  () => ({ 'all.json': file(...objects) })

const forced = { force: true, replace: true }

/** Changes of what the corpora do not have: data, quotas, webhooks, definitions, hooks that fail. */
export const ownScenarios: readonly Scenario[] = [
  {
    name: 'claim-pruned',
    corpus: GUESTBOOK,
    before: more(claim),
    after: same,
    request: { prune: true },
    shows: /PersistentVolumeClaim .* deleted/,
  },
  {
    name: 'quota-pods',
    corpus: GUESTBOOK,
    before: edited(DEPLOYMENT, 'replicas: 1', 'replicas: 1\n  progressDeadlineSeconds: 4'),
    meanwhile: quota({ pods: '1' }),
    after: both(
      edited(DEPLOYMENT, 'replicas: 1', 'replicas: 1\n  progressDeadlineSeconds: 4'),
      edited(DEPLOYMENT, ':v5', ':v6'),
    ),
    shows: /quota/,
  },
  {
    name: 'quota-objects',
    corpus: GUESTBOOK,
    before: same,
    meanwhile: quota({ configmaps: '2' }),
    after: more(configMap('a'), configMap('b', {}, wave(1))),
    shows: /exceeded quota/,
  },
  {
    name: 'limits-too-large',
    corpus: GUESTBOOK,
    before: same,
    meanwhile: async ({ namespace, send }) => {
      const limits = [
        { type: 'Container', max: { memory: '64Mi' }, default: { memory: '32Mi' }, defaultRequest: { memory: '16Mi' } },
      ]
      const body = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'small' }, spec: { limits } }
      await send('POST', `/api/v1/namespaces/${namespace}/limitranges`, body)
    },
    after: both(
      edited(DEPLOYMENT, 'replicas: 1', 'replicas: 1\n  progressDeadlineSeconds: 4'),
      edited(DEPLOYMENT, ':v5', ':v5\n          resources: {limits: {memory: 1Gi}}'),
    ),
    shows: /Degraded/,
  },
  {
    name: 'webhook-down',
    corpus: GUESTBOOK,
    before: same,
    meanwhile: webhook(['configmaps'], 'maps'),
    after: more(configMap('a')),
    shows: /failed calling webhook/,
  },
  {
    name: 'webhook-down-for-pods',
    corpus: GUESTBOOK,
    before: edited(DEPLOYMENT, 'replicas: 1', 'replicas: 1\n  progressDeadlineSeconds: 4'),
    meanwhile: webhook(['pods'], 'pods'),
    after: both(
      edited(DEPLOYMENT, 'replicas: 1', 'replicas: 1\n  progressDeadlineSeconds: 4'),
      edited(DEPLOYMENT, ':v5', ':v6'),
    ),
  },
  { name: 'definition-with-objects', after: only(definition('gadget'), custom('gadget', 3)), shows: /Gadget/ },
  {
    name: 'definition-refuses-object',
    after: only(definition('gizmo'), custom('gizmo', 9)),
    shows: /less than or equal to 5/,
  },
  {
    name: 'definition-pruned',
    before: only(definition('widget'), configMap('stays')),
    meanwhile: async ({ namespace, send }) =>
      send('POST', `/apis/truth.example.com/v1/namespaces/${namespace}/widgets`, custom('widget', 1)),
    after: only(configMap('stays')),
    request: { prune: true },
    shows: /taken along|takes/,
  },
  {
    name: 'presync-fails',
    corpus: GUESTBOOK,
    before: same,
    after: both(
      edited(DEPLOYMENT, ':v5', ':v6'),
      more(job('migrate', hook('PreSync'), 'fail'), job('rescue', hook('SyncFail'))),
    ),
    shows: /hook failed/,
  },
  {
    name: 'postsync-fails',
    corpus: GUESTBOOK,
    after: more(job('check', hook('PostSync', 'HookFailed'), 'fail'), job('rescue', hook('SyncFail'))),
    shows: /hook failed/,
  },
  {
    name: 'hooks-succeed',
    corpus: GUESTBOOK,
    after: more(job('first-', hook('PreSync', 'HookSucceeded')), job('last', hook('PostSync', 'HookSucceeded'))),
    shows: /hook succeeded/,
  },
  {
    name: 'wave-degraded',
    after: only(
      deployment('first', wave(1)),
      {
        ...deployment('second', wave(2), { hint: 'never-ready' }),
        spec: slow(deployment('second', {}, { hint: 'never-ready' })),
      },
      configMap('third', {}, wave(3)),
    ),
    shows: /not reached/,
  },
  {
    name: 'job-changed',
    before: only(job('import')),
    after: only({ ...job('import'), spec: { ...specOf(job('import')), completions: 2 } }),
    shows: /immutable/,
  },
  {
    name: 'job-changed-forced',
    before: only(job('import')),
    after: only({ ...job('import'), spec: { ...specOf(job('import')), completions: 2 } }),
    request: forced,
    shows: /replaced/,
  },
  { name: 'statefulset-new', after: only(statefulSet('1Gi')) },
  { name: 'statefulset-volume', before: only(statefulSet('1Gi')), after: only(statefulSet('2Gi')), shows: /Forbidden/ },
  {
    name: 'statefulset-image',
    before: only(statefulSet('1Gi')),
    after: only(statefulSet('1Gi', 'redis:8')),
    shows: /2 pods/,
  },
  { name: 'daemonset-image', before: only(daemonSet('agent:1')), after: only(daemonSet('agent:2')), shows: /1 pod/ },
  {
    name: 'secret-changed',
    before: only(secret('one'), configMap('a')),
    after: only(secret('two'), configMap('a')),
    shows: /Secret/,
  },
  {
    name: 'secret-same',
    before: only(secret('one'), configMap('a')),
    after: only(secret('one'), configMap('a', { key: 'new' })),
  },
  {
    name: 'budget-undershot',
    corpus: GUESTBOOK,
    before: both(edited(DEPLOYMENT, 'replicas: 1', 'replicas: 3'), more(budget(3))),
    after: both(
      edited(DEPLOYMENT, 'replicas: 1', 'replicas: 3\n  strategy: {rollingUpdate: {maxUnavailable: 2, maxSurge: 0}}'),
      edited(DEPLOYMENT, ':v5', ':v6'),
      more(budget(3)),
    ),
    shows: /downtime/,
  },
  {
    name: 'prune-of-everything',
    before: only(configMap('a'), configMap('b')),
    after: () => ({ 'README.md': 'nothing is wanted any more' }),
    request: { prune: true },
    shows: /kept/,
  },
  {
    name: 'pod-security',
    corpus: GUESTBOOK,
    before: edited(DEPLOYMENT, 'replicas: 1', 'replicas: 1\n  progressDeadlineSeconds: 4'),
    meanwhile: async ({ namespace, send }) => {
      const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
      await send('PATCH', `/api/v1/namespaces/${namespace}`, { metadata: { labels } }, 'application/merge-patch+json')
    },
    after: both(
      edited(DEPLOYMENT, 'replicas: 1', 'replicas: 1\n  progressDeadlineSeconds: 4'),
      edited(DEPLOYMENT, ':v5', ':v6'),
    ),
    shows: /Degraded/,
  },
  {
    name: 'webhook-down-for-pods-told',
    corpus: GUESTBOOK,
    before: edited(DEPLOYMENT, 'replicas: 1', 'replicas: 1\n  progressDeadlineSeconds: 4'),
    meanwhile: webhook(['pods'], 'pods'),
    after: both(
      edited(DEPLOYMENT, 'replicas: 1', 'replicas: 1\n  progressDeadlineSeconds: 4'),
      edited(DEPLOYMENT, ':v5', ':v6'),
    ),
    faults: [{ kind: 'webhook', pattern: 'pods.*' }],
    shows: /Degraded/,
  },
  {
    name: 'statefulset-beside',
    before: only(statefulSet('1Gi'), configMap('a')),
    after: only(statefulSet('1Gi'), configMap('a', { key: 'new' })),
  },
  {
    name: 'daemonset-beside',
    before: only(daemonSet('agent:1'), configMap('a')),
    after: only(daemonSet('agent:1'), configMap('a', { key: 'new' })),
  },
]
