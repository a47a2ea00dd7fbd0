import assert from 'node:assert/strict'
import test from 'node:test'
import { roleOf, roleProblems, waveOf } from '../../../../shared/core/hooks/read-hook.ts'
import type { KubeObject } from '../../../../shared/model/kubernetes.ts'

function object(annotations: Readonly<Record<string, string>>): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations } }
}

const argo = (hook: string, policy?: string): KubeObject =>
  object({
    'argocd.argoproj.io/hook': hook,
    ...(policy === undefined ? {} : { 'argocd.argoproj.io/hook-delete-policy': policy }),
  })
const helm = (hook: string, policy?: string): KubeObject =>
  object({ 'helm.sh/hook': hook, ...(policy === undefined ? {} : { 'helm.sh/hook-delete-policy': policy }) })

const roles: readonly (readonly [
  object: KubeObject,
  phases: readonly string[] | string,
  policies?: readonly string[],
])[] = [
  [object({}), 'plain'],
  [argo('Skip'), 'skipped'],
  [argo('PreSync'), ['PreSync'], ['BeforeHookCreation']],
  [argo(' PreSync , PostSync '), ['PreSync', 'PostSync'], ['BeforeHookCreation']],
  [argo('Sync', 'HookSucceeded,HookFailed'), ['Sync'], ['HookSucceeded', 'HookFailed']],
  [argo('PreDelete', 'Never'), ['PreDelete'], ['Never']],
  [argo('PostDelete'), ['PostDelete'], ['BeforeHookCreation']],
  [argo('SyncFail', 'nonsense'), ['SyncFail'], ['BeforeHookCreation']],
  [argo('nonsense'), [], ['BeforeHookCreation']],
  [helm('crd-install'), 'plain'],
  [helm('pre-install,pre-upgrade'), ['PreSync'], ['BeforeHookCreation']],
  [helm('post-upgrade', 'hook-succeeded'), ['PostSync'], ['HookSucceeded']],
  [
    helm('pre-delete,post-delete', 'before-hook-creation,hook-failed'),
    ['PreDelete', 'PostDelete'],
    ['BeforeHookCreation', 'HookFailed'],
  ],
  [helm('test'), [], ['BeforeHookCreation']],
  [
    object({ 'helm.sh/hook': 'pre-install', 'argocd.argoproj.io/hook': 'PostSync' }),
    ['PostSync'],
    ['BeforeHookCreation'],
  ],
]

for (const [given, phases, policies] of roles) {
  test(`${JSON.stringify(given.metadata.annotations)} is ${String(phases) || 'never run'}`, () => {
    const role = roleOf(given)
    if (typeof phases === 'string') assert.equal(role.kind, phases)
    else assert.deepEqual(role, { kind: 'hook', phases, policies })
  })
}

const waves: readonly (readonly [text: string, wave: number])[] = [
  ['5', 5],
  ['-3', -3],
  ['+2', 2],
  ['1.5', 0],
  ['soon', 0],
  ['99999999999', 0],
]

for (const [text, wave] of waves) {
  test(`a sync wave ${text} is ${wave}`, () => {
    const given = object({ 'argocd.argoproj.io/sync-wave': text })
    assert.equal(waveOf(given), wave)
    assert.equal(roleProblems(given).length, wave === 0 ? 1 : 0)
  })
}

test('words that mean nothing are named', () => {
  assert.match(roleProblems(argo('PreFlight')).join(), /PreFlight/)
  assert.match(roleProblems(argo('PreSync', 'Sometimes')).join(), /Sometimes/)
  assert.match(roleProblems(helm('pre-flight')).join(), /pre-flight/)
})
