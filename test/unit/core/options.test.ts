import assert from 'node:assert/strict'
import test from 'node:test'
import { isMadeAnew, mannerOf, syncOption, unknownOptions } from '../../../shared/core/options.ts'
import type { KubeObject } from '../../../shared/model/kubernetes.ts'
import type { StepManner } from '../../../shared/model/plan.ts'
import { sampleApplication } from './sample-application.ts'

const REQUEST = { prune: true, dryRun: false }

function object(options: string, annotations: Readonly<Record<string, string>> = {}): KubeObject {
  const own = options === '' ? {} : { 'argocd.argoproj.io/sync-options': options }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations: { ...own, ...annotations } } }
}

const application = (...syncOptions: readonly string[]): ReturnType<typeof sampleApplication> =>
  sampleApplication({ syncPolicy: { syncOptions } })

test('what an object says wins over its application; white space does not matter', () => {
  assert.equal(syncOption(application('Prune=false'), object(' Validate=false , Prune=true'), 'Prune'), 'true')
  assert.equal(syncOption(application('Prune=false'), object(''), 'Prune'), 'false')
  assert.equal(syncOption(application(), object(''), 'Prune'), undefined)
})

type Case = readonly [
  application: readonly string[],
  object: string,
  immutable: boolean,
  manner: Partial<StepManner>,
  request?: { readonly force?: boolean; readonly replace?: boolean },
]

const cases: readonly Case[] = [
  [[], '', false, { method: 'apply', validate: true, propagation: 'Foreground', respectIgnored: false }],
  [['ServerSideApply=true'], '', false, { method: 'apply' }],
  [['ServerSideApply=true'], 'ServerSideApply=false', false, { method: 'client-side' }],
  [['ServerSideApply=true', 'Replace=true'], '', false, { method: 'replace' }],
  [['Force=true'], '', false, { method: 'apply' }],
  [['Force=true'], '', true, { method: 'recreate' }],
  [[], 'Force=true,Replace=true', false, { method: 'recreate' }],
  [[], '', true, { method: 'recreate' }, { force: true }],
  [[], '', false, { method: 'replace' }, { replace: true }],
  [['Validate=false'], '', false, { validate: false }],
  [['PrunePropagationPolicy=orphan'], 'PrunePropagationPolicy=background', false, { propagation: 'Background' }],
  [['RespectIgnoreDifferences=true'], '', false, { respectIgnored: true }],
  [['ClientSideApplyMigration=false'], '', false, { migrateFrom: [] }],
]

for (const [options, own, immutable, manner, request] of cases) {
  test(`${[...options, own, immutable ? 'immutable' : '', JSON.stringify(request ?? {})].join(' ')} is written by ${JSON.stringify(manner)}`, () => {
    const found = mannerOf(application(...options), object(own), { ...REQUEST, ...request }, immutable)
    assert.deepEqual({ ...found, ...manner }, found)
  })
}

test('a migration manager that is named is taken over from too', () => {
  const named = { 'argocd.argoproj.io/client-side-apply-migration-manager': 'old-tool' }
  assert.ok(mannerOf(application(), object('', named), REQUEST, false).migrateFrom.includes('old-tool'))
})

test('only an object that asks for both itself is made anew at every sync', () => {
  assert.equal(isMadeAnew(object('Force=true,Replace=true')), true)
  assert.equal(isMadeAnew(object('Replace=true')), false)
  assert.equal(isMadeAnew(object('')), false)
})

test('options that there are not are told of, known ones are not', () => {
  const known = ['Prune=confirm', 'Delete=false', ' PruneLast=true', 'PrunePropagationPolicy=background', '']
  assert.deepEqual(unknownOptions(known), [])
  assert.deepEqual(unknownOptions(['prune=false', 'PruneLast', 'Validate=no']), [
    'there is no sync option prune',
    'the sync option PruneLast is true or false, not empty',
    'the sync option Validate is true or false, not no',
  ])
})
