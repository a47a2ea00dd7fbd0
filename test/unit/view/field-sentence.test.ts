import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Blame, FieldDrift, FieldValue } from '../../../shared/model/drift.ts'
import type { Json } from '../../../shared/model/json.ts'
import { fieldSentence } from '../../../shared/view/field-sentence.ts'
import { field, minutesAgo, NOW } from './snapshot.ts'

const hidden: FieldValue = { kind: 'hidden' }

function value(value: Json): FieldValue {
  return { kind: 'value', value }
}

function by(manager: string, minutes: number, since?: number): { readonly blame: Blame } {
  const blame: Blame = { manager, operation: 'Update', subresource: '', time: minutesAgo(minutes) }
  return { blame: since === undefined ? blame : { ...blame, since: minutesAgo(since) } }
}

const CASES: readonly (readonly [FieldDrift, string])[] = [
  [
    field('changed', '/spec/replicas', { desired: value(2), live: value(4), ...by('kubectl-scale', 3) }),
    'replicas is 4 in the cluster, Git says 2 · kubectl-scale, 3 min ago',
  ],
  [
    field('added-foreign', '/spec/template/spec/containers/0/env/1', {
      live: value({ name: 'HAND', value: '1' }),
      ...by('hand', 2),
    }),
    'env HAND=1 is in the cluster, not in Git · hand, 2 min ago',
  ],
  [
    field('removed', '/spec/template/spec/containers/0/livenessProbe', {
      desired: value({ httpGet: { path: '/' } }),
      ...by('kubectl-edit', 10),
    }),
    'livenessProbe is gone from the cluster, Git has it · kubectl-edit, about 10 min ago',
  ],
  [
    field('changed', '/data/password', { desired: hidden, live: hidden, ...by('external-secrets', 60) }),
    'password differs in the cluster (hidden) · external-secrets, 1 h ago',
  ],
  [
    field('conflict', '/spec/template/spec/containers/0/image', {
      desired: value('nginx:1.28'),
      live: value('nginx:1.27'),
      ...by('argocd-controller', 10),
    }),
    'image is owned by argocd-controller, a sync would take it over',
  ],
  [field('conflict', '/spec/replicas'), 'replicas is owned by another applier, a sync would take it over'],
  [
    field('changed', '/spec/replicas', { desired: value(2), live: value(4) }),
    'replicas is 4 in the cluster, Git says 2',
  ],
  [
    field('changed', '/spec/replicas', { desired: value(2), live: value(4), ...by('hand', 30, 60) }),
    'replicas is 4 in the cluster, Git says 2 · hand, about 30 min ago',
  ],
  [field('changed', '/spec/paused', { desired: value(true) }), 'paused=true is not in the cluster, Git has it'],
  [field('changed', '/spec/paused', { live: value(true) }), 'paused=true is in the cluster, Git no longer has it'],
  [
    field('added-foreign', '/metadata/labels/example.org~1team', { live: value('web') }),
    'label example.org/team=web is in the cluster, not in Git',
  ],
  [
    field('changed', '/spec/template/metadata/annotations/note', { desired: value(''), live: value('by hand') }),
    'annotation note is by hand in the cluster, Git says ""',
  ],
  [
    field('added-foreign', '/spec/template/spec/containers/1', { live: value({ name: 'sidecar', image: 'x' }) }),
    'container sidecar is in the cluster, not in Git',
  ],
  [
    field('added-foreign', '/spec/ports/1', { live: value({ port: 8080, targetPort: 80 }) }),
    'port 8080 is in the cluster, not in Git',
  ],
  [
    field('added-foreign', '/metadata/finalizers/0', { live: value('example.org/hold') }),
    'finalizer example.org/hold is in the cluster, not in Git',
  ],
  [
    field('added-foreign', '/spec/rules/1', { live: value({ verbs: ['get'] }) }),
    'rules[1] is in the cluster, not in Git',
  ],
  [field('added-foreign', '/data/0', { live: value('x') }), '0=x is in the cluster, not in Git'],
  [field('added-foreign', '/data/token', { live: hidden }), 'token is in the cluster, not in Git (hidden)'],
  [field('removed', '/data/token', { desired: hidden }), 'token is gone from the cluster, Git has it'],
  [field('changed', '/data/token', { desired: hidden }), 'token is not in the cluster, Git has it (hidden)'],
  [field('changed', '/data/token', { live: hidden }), 'token is in the cluster, Git no longer has it (hidden)'],
  [
    field('changed', '/spec/template/spec/containers/0/env/1/value', { desired: value('1'), live: value('two words') }),
    'env[1].value is two words in the cluster, Git says 1',
  ],
  [
    field('changed', '/spec/template/spec/containers/0/args/2', { desired: value('-v=1'), live: value('-v=9') }),
    'args[2] is -v=9 in the cluster, Git says -v=1',
  ],
  [
    field('changed', '/spec/selector', { desired: value({ app: 'web' }), live: value(['a', 1, null, { b: true }]) }),
    'selector is [a, 1, null, {b: true}] in the cluster, Git says {app: web}',
  ],
  [
    field('changed', '/spec/big', { desired: value(9007199254740993n), live: value(1) }),
    'big is 1 in the cluster, Git says 9007199254740993',
  ],
  [
    field('controller-owned', '/spec/replicas', {
      desired: value(2),
      live: value(4),
      ...by('kube-controller-manager', 1),
    }),
    'replicas is 4 in the cluster, a sync leaves it to its controller · kube-controller-manager, 1 min ago',
  ],
  [
    field('admission-rewritten', '/spec/image', { desired: value('nginx'), live: value('mirror/nginx') }),
    'image is sent as nginx, the server makes it mirror/nginx',
  ],
  [field('admission-rewritten', '/spec/image', { desired: value('nginx') }), 'image is dropped by the server'],
  [field('defaulted', '/spec/protocol', { live: value('TCP') }), 'protocol is TCP by default'],
  [
    field('ownership-only', '/spec/replicas', { desired: value(2), live: value(2), ...by('hand', 1) }),
    'replicas has the value that Git wants, and another owner · hand, 1 min ago',
  ],
  [field('removed', ''), 'the object is gone from the cluster, Git has it'],
]

for (const [drift, expected] of CASES) {
  test(expected, () => assert.equal(fieldSentence(drift, NOW), expected))
}

test('a long value is cut to one line, around the place where it differs', () => {
  const long = 'x'.repeat(400)
  const drift = field('changed', '/data/page', {
    desired: value(`${long} git\nmore`),
    live: value(`${long} live\nmore`),
  })
  const sentence = fieldSentence(drift, NOW)
  assert.ok(sentence.length < 160, sentence)
  assert.match(sentence, /live/)
  assert.match(sentence, /git/)
  assert.ok(!sentence.includes('\n'))
})

test('no value of a hidden field is ever told', () => {
  for (const kind of [
    'changed',
    'removed',
    'added-foreign',
    'conflict',
    'controller-owned',
    'admission-rewritten',
    'defaulted',
  ] as const) {
    const sentence = fieldSentence(field(kind, '/data/password', { desired: hidden, live: hidden }), NOW)
    assert.match(sentence, /password/)
  }
})
