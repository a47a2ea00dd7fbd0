import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Jq } from '../../../../shared/base/jq.ts'
import { sha256 } from '../../../../shared/base/digest.ts'
import { ignoreRules } from '../../../../shared/core/drift/ignore.ts'
import type { IgnoreDifference } from '../../../../shared/model/application.ts'
import type { ResourceId } from '../../../../shared/model/kubernetes.ts'
import { APPLICATION } from '../../view/snapshot.ts'
import { deployment } from './fixtures.ts'

const WEB: ResourceId = { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' }
const OBJECT = deployment({
  replicas: 2,
  template: {
    spec: {
      containers: [
        { name: 'a', image: 'x' },
        { name: 'b', image: 'y' },
      ],
    },
  },
})

const rule = (more: Partial<IgnoreDifference>): IgnoreDifference => ({
  group: 'apps',
  kind: 'Deployment',
  jsonPointers: [],
  jqPathExpressions: [],
  managedFieldsManagers: [],
  ...more,
})

/** Whether a path (with slashes) is left out under one rule; `undefined` where no rule names the object. */
async function check(one: IgnoreDifference, path: string, expected: boolean | undefined): Promise<void> {
  const jq = new Jq()
  try {
    const rules = ignoreRules({ ...APPLICATION, ignoreDifferences: [one] }, [], jq, sha256)
    const covers = await rules.pathsFor(WEB, OBJECT, OBJECT)
    assert.equal(covers?.(path.split('/')), expected, `${JSON.stringify(one)} ${path}`)
  } finally {
    await jq.dispose()
  }
}

test('a JSON pointer leaves out its field and all below it, and nothing beside', async () => {
  const one = rule({ jsonPointers: ['/spec/template', '/metadata/labels/a~1b'] })
  await check(one, 'spec/template/spec/containers/0/image', true)
  await check(one, 'spec/template', true)
  await check(one, 'spec', false)
  await check(one, 'spec/templates', false)
  const rules = ignoreRules({ ...APPLICATION, ignoreDifferences: [one] }, [], NO_JQ, sha256)
  assert.equal((await rules.pathsFor(WEB, OBJECT, OBJECT))?.(['metadata', 'labels', 'a/b']), true)
})

const NO_JQ = { paths: async () => [] }

test('a jq expression leaves out what it selects', async () => {
  const one = rule({ jqPathExpressions: ['.spec.template.spec.containers[] | select(.name == "b")'] })
  await check(one, 'spec/template/spec/containers/1/image', true)
  await check(one, 'spec/template/spec/containers/0/image', false)
})

test('a rule names objects by group, kind, name and namespace, with stars', async () => {
  const jsonPointers = ['/spec']
  await check(rule({ jsonPointers }), 'spec', true)
  await check(rule({ jsonPointers, group: '*', kind: '*' }), 'spec', true)
  await check(rule({ jsonPointers, name: 'web', namespace: 'shop' }), 'spec', true)
  await check(rule({ jsonPointers, name: '' }), 'spec', true)
  await check(rule({ jsonPointers, name: 'other' }), 'spec', undefined)
  await check(rule({ jsonPointers, namespace: 'other' }), 'spec', undefined)
  await check(rule({ jsonPointers, group: '' }), 'spec', undefined)
  await check(rule({ jsonPointers, kind: 'StatefulSet' }), 'spec', undefined)
})

test('managers are trusted on the objects that their rule names, and everywhere where the person says so', () => {
  const one = rule({ managedFieldsManagers: ['updater'] })
  const rules = ignoreRules({ ...APPLICATION, ignoreDifferences: [one] }, ['me'], NO_JQ, sha256)
  assert.deepEqual([...rules.trustedFor(WEB)].sort(), ['me', 'updater'])
  assert.deepEqual([...rules.trustedFor({ ...WEB, kind: 'Service' })], ['me'])
})

function digest(one: readonly IgnoreDifference[], trusted: readonly string[] = []): string {
  return ignoreRules({ ...APPLICATION, ignoreDifferences: one }, trusted, NO_JQ, sha256).digest
}

test('a change of the rules changes their digest', () => {
  const all = [digest([]), digest([rule({})]), digest([rule({ name: 'x' })]), digest([], ['me'])]
  assert.equal(new Set(all).size, all.length)
  assert.equal(digest([rule({})]), digest([rule({})]))
})
