import test from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { FieldSet } from '../../../../shared/fields/field-set.ts'
import { catalogueOf } from '../../../../shared/fields/openapi-schema.ts'
import type { Definitions } from '../../../../shared/fields/openapi-schema.ts'
import { fieldElement } from '../../../../shared/fields/path.ts'
import type { Schema } from '../../../../shared/fields/schema.ts'
import { StatusError } from '../../../../shared/simulator/errors.ts'
import type { StatusCause } from '../../../../shared/simulator/errors.ts'
import type { JsonObject, KubeObject, ManagedFieldsRecord } from '../../../../shared/simulator/object.ts'
import { applyConfiguration } from '../../../../shared/simulator/apply/apply-configuration.ts'
import { trackUpdate } from '../../../../shared/simulator/apply/track-update.ts'
import type { Typed } from '../../../../shared/simulator/apply/version.ts'

/** Random conversations with apimachinery's own field manager; fixtures/README.md says how they were recorded. */
interface Recording {
  readonly definitions: readonly Definitions[]
  readonly conversations: readonly { readonly reset: readonly string[][]; readonly steps: readonly Step[] }[]
}

interface Step {
  readonly verb: 'apply' | 'update'
  readonly version: string
  readonly manager: string
  readonly subresource: string
  readonly force: boolean
  /** Which of the definitions the server has by now. */
  readonly schema: number
  readonly object: KubeObject
  readonly answer: {
    readonly object?: KubeObject
    readonly error?: string
    readonly code?: number
    readonly reason?: string
    readonly causes?: readonly StatusCause[]
  }
}

const recording = JSON.parse(
  readFileSync(new URL('./fixtures/things-recorded.json', import.meta.url), 'utf8'),
) as Recording
const schemas = recording.definitions.map((definitions) => {
  const schema = catalogueOf(definitions).schemaFor('test.dev', 'v1', 'Thing')
  assert.ok(schema)
  return schema
})

function take(step: Step, schema: Schema, live: KubeObject | null, reset: readonly string[][]): KubeObject {
  const apiVersion = `test.dev/${step.version}`
  const convert = (object: JsonObject, to: string): Typed | undefined =>
    /^test\.dev\/v[12]$/.test(to) ? { value: { ...object, apiVersion: to }, schema } : undefined
  const common = {
    live: live === null ? null : { ...live, apiVersion },
    schema,
    manager: step.manager,
    apiVersion,
    subresource: step.subresource,
    now: 'T',
    convert,
    ...(reset.length === 0 ? {} : { resetFields: FieldSet.of(...reset.map((path) => path.map(fieldElement))) }),
  }
  if (step.verb === 'apply')
    return applyConfiguration({ ...common, config: step.object, kind: 'Thing', force: step.force })
  const uid = live === null ? {} : { uid: 'u' }
  return trackUpdate({ ...common, next: { ...step.object, metadata: { ...step.object.metadata, ...uid } } })
}

function key(entry: ManagedFieldsRecord): string {
  return JSON.stringify([entry.operation, entry.manager, entry.apiVersion, entry.subresource])
}

/** Comparable: the server's uid is put on, and entries, which all have the same time, lie in one order. */
function settled(object: KubeObject): KubeObject {
  const managedFields = object.metadata.managedFields?.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
  return {
    ...object,
    metadata: { ...object.metadata, uid: 'u', ...(managedFields === undefined ? {} : { managedFields }) },
  }
}

function sortedLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .toSorted()
}

function sorted(causes: readonly StatusCause[] = []): string[] {
  return causes.map((cause) => `${cause.reason} ${cause.field} ${cause.message}`).toSorted()
}

function checkRefusal(error: unknown, { answer }: Step, where: string): void {
  assert.ok(StatusError.is(error), `${where}: ${String(error)}`)
  assert.deepEqual(sortedLines(error.message), sortedLines(answer.error ?? ''), where)
  if (answer.code === undefined) return
  assert.equal(error.code, answer.code, where)
  assert.deepEqual(sorted(error.details?.causes), sorted(answer.causes), where)
}

for (const [i, { reset, steps }] of recording.conversations.entries()) {
  test(`a random conversation goes as with apimachinery's field manager (${i + 1})`, () => {
    let live: KubeObject | null = null
    for (const [k, step] of steps.entries()) {
      const where = `step ${k + 1}, ${step.verb} by ${step.manager}`
      const schema = schemas[step.schema]
      assert.ok(schema)
      const before: string = JSON.stringify(live)
      try {
        const next = settled(take(step, schema, live, reset))
        assert.ok(step.answer.object, `${where}: should be refused: ${step.answer.error}`)
        assert.deepEqual(next, settled(step.answer.object), where)
        assert.equal(JSON.stringify(live), before, `${where}: the live object was changed`)
        live = next
      } catch (error) {
        if (step.answer.error === undefined || !StatusError.is(error)) throw error
        checkRefusal(error, step, where)
      }
    }
  })
}
