import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { admit } from '../../../../shared/simulator/admission/admit.ts'
import { setDefaults } from '../../../../shared/simulator/kinds/defaults.ts'
import { DecodeError, decodeObject } from '../../../../shared/simulator/kinds/codec.ts'
import type { FieldError } from '../../../../shared/simulator/kinds/field-error.ts'
import { errorBody, errorText } from '../../../../shared/simulator/kinds/field-error.ts'
import { strategyFor } from '../../../../shared/simulator/kinds/registry.ts'
import type { StrategyContext } from '../../../../shared/simulator/kinds/strategy.ts'
import type { KubeObject } from '../../../../shared/simulator/object.ts'
import { splitApiVersion } from '../../../../shared/simulator/object.ts'

const folder = new URL('../../../../../shared/apiserver-vectors/vectors/', import.meta.url)

interface Step {
  readonly name: string
  readonly method?: string
  readonly path: string
  readonly type?: string
  readonly body?: KubeObject
  readonly expect?: { readonly status: number; readonly body: KubeObject & { message?: string } }
}

const uid = '00000000-0000-4000-8000-000000000000'
const context: StrategyContext = {
  now: '2026-01-01T00:00:00Z',
  dryRun: false,
  user: 'admin',
  uid: () => uid,
  random: () => 0,
  lookup: (resource, _namespace, name) =>
    resource === 'namespaces' ? { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } : undefined,
  list: () => [],
}

const volatile = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

const sorted = (list: readonly string[]): string[] => list.toSorted()

/** As replay.mjs normalises, without what the machinery around a strategy sets. */
function normalise(value: unknown, key = '', path = ''): unknown {
  if (Array.isArray(value)) return value.map((item, i) => normalise(item, '', `${path}/${i}`))
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(
      ([k]) => path !== '/metadata' || !['managedFields', 'resourceVersion', 'uid', 'creationTimestamp'].includes(k),
    )
    return Object.fromEntries(entries.map(([k, v]) => [k, normalise(v, k, `${path}/${k}`)]))
  }
  if (typeof value === 'number' && /nodePort/i.test(key) && value >= 30_000) return '<nodePort>'
  if (typeof value !== 'string') return value
  if (volatile.test(value)) return '<time>'
  if ((key === 'clusterIP' || /\/clusterIPs\/\d+$/.test(path)) && value !== 'None') return '<ip>'
  return value.replaceAll(uid, '<uid>')
}

function create(body: KubeObject, path: string): KubeObject | FieldError[] {
  const [group] = splitApiVersion(body.apiVersion)
  const url = path.split('?')[0] ?? ''
  const resource = url.split('/').at(-1) ?? ''
  const namespace = /\/namespaces\/([^/]+)\//.exec(url)?.[1]
  const strategy = strategyFor(group, resource)
  const { object } = decodeObject(body)
  setDefaults(object)
  Object.assign(object.metadata, { uid, creationTimestamp: context.now, ...(namespace && { namespace }) })
  const home = namespace ?? ''
  const request = { operation: 'create', group, resource, subresource: '', namespace: home, name: '' } as const
  admit({ ...request, next: object, live: undefined, context })
  strategy.prepareForCreate?.(object, context)
  const errors = strategy.validateCreate?.(object, context) ?? []
  if (errors.length > 0) return errors
  strategy.canonicalize?.(object)
  return object
}

/** What the endpoint refuses before a strategy sees the object. */
const notAStrategysBusiness = new Set(['missing apiVersion', 'other namespace in body', 'wrong kind'])

for (const file of existsSync(folder) ? readdirSync(folder) : []) {
  const { steps } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { steps: Step[] }
  for (const step of steps) {
    const { expect, body } = step
    if (
      step.method !== 'POST' ||
      !expect ||
      typeof body !== 'object' ||
      /fieldValidation|dryRun|review/.test(step.path)
    )
      continue
    if (![201, 400, 422].includes(expect.status) || /custom|widgets|example/.test(step.path)) continue
    if (body.metadata?.generateName !== undefined || notAStrategysBusiness.has(step.name)) continue
    test(`${file}: ${step.name}`, () => checkStep(step, body, expect))
  }
}

function checkStep(step: Step, body: KubeObject, expect: NonNullable<Step['expect']>): void {
  let made: KubeObject | FieldError[]
  try {
    made = create(body, step.path)
  } catch (error) {
    if (!DecodeError.is(error)) throw error
    assert.equal(expect.status, 400)
    assert.ok(expect.body.message?.endsWith(error.message), `${expect.body.message} / ${error.message}`)
    return
  }
  if (Array.isArray(made)) {
    assert.equal(expect.status, 422, made.map(errorText).join('\n'))
    const causes = (expect.body['details'] as { causes?: { message: string; field: string }[] }).causes ?? []
    assert.deepEqual(
      sorted(made.map((error) => `${error.field}: ${errorBody(error)}`)),
      sorted(causes.map((cause) => `${cause.field}: ${cause.message}`)),
    )
    return
  }
  assert.equal(expect.status, 201)
  assert.deepEqual(normalise(made), normalise(expect.body))
}

if (!existsSync(folder))
  test('recorded conversations', (t) => t.skip('no recorded conversations beside the repository'))
