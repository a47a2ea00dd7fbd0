import test from 'node:test'
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { FieldSet } from '../../../../shared/fields/field-set.ts'
import { builtInCatalogue } from '../../../../shared/kubernetes/built-in.ts'
import { StatusError } from '../../../../shared/simulator/errors.ts'
import type { Status, StatusDetails } from '../../../../shared/simulator/errors.ts'
import type { KubeObject } from '../../../../shared/simulator/object.ts'
import { applyConfiguration } from '../../../../shared/simulator/apply/apply-configuration.ts'
import { trackUpdate } from '../../../../shared/simulator/apply/track-update.ts'

/** Conversations recorded from kube-apiserver v1.36.2, which lie beside the repository. */
const folder = new URL('../../../../../shared/apiserver-vectors/vectors/', import.meta.url)
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('random-apply-')) : []

interface Step {
  readonly name: string
  readonly method?: string
  readonly path: string
  readonly type?: string
  readonly body?: KubeObject
  readonly ignore?: boolean
  readonly expect?: { readonly status: number; readonly body: KubeObject & Status }
}

const schema = builtInCatalogue().schemaFor('apps', 'v1', 'Deployment')
const resetFields = FieldSet.of(['f:status'])

function owners(object: KubeObject): string[] {
  return (object.metadata.managedFields ?? [])
    .map((entry) => JSON.stringify(sortKeys({ ...entry, time: '' })))
    .toSorted()
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sortKeys(item)]),
  )
}

function sortedCauses(details: StatusDetails | undefined): string[] {
  return (details?.causes ?? []).map((cause) => JSON.stringify(sortKeys(cause))).toSorted()
}

/** What this code would answer: the object without defaults and validation, which are others' work. */
function answer(step: Step, live: KubeObject | null): KubeObject | undefined {
  assert.ok(schema)
  const query = new URL(step.path, 'http://server').searchParams
  const common = {
    live,
    schema,
    manager: query.get('fieldManager') ?? 'unknown',
    apiVersion: 'apps/v1',
    subresource: '',
    now: '<time>',
    resetFields,
  }
  if (step.type === 'application/apply-patch+yaml' && step.body !== undefined) {
    return applyConfiguration({
      ...common,
      config: step.body,
      kind: 'Deployment',
      force: query.get('force') === 'true',
    })
  }
  if (step.expect === undefined || step.expect.status >= 300) return undefined
  const { managedFields: _, ...metadata } = step.expect.body.metadata as KubeObject['metadata']
  return trackUpdate({ ...common, next: { ...step.expect.body, metadata } })
}

function check(step: Step, live: KubeObject | null): KubeObject | null {
  const expected = step.expect
  if (expected === undefined || step.ignore === true || step.method === undefined || step.method === 'GET') return live
  if (step.path.includes('/scale')) return live
  try {
    const got = answer(step, live)
    if (expected.status < 300 && got !== undefined) assert.deepEqual(owners(got), owners(expected.body), step.name)
    else assert.notEqual(expected.status, 409, step.name)
  } catch (error) {
    if (!StatusError.is(error)) throw error
    assert.equal(error.message, expected.body.message, step.name)
    assert.deepEqual(sortedCauses(error.details), sortedCauses(expected.body.details), step.name)
  }
  return expected.status < 300 && !step.path.includes('dryRun=') ? expected.body : live
}

test('recorded random conversations give the owners and conflicts of the real server', (t) => {
  if (files.length === 0) {
    t.skip('no recorded conversations beside the repository')
    return
  }
  let checked = 0
  for (const file of files) {
    const { steps } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { steps: Step[] }
    let live: KubeObject | null = null
    for (const step of steps) {
      live = check(step, live)
      checked++
    }
  }
  assert.ok(checked > 150)
})
