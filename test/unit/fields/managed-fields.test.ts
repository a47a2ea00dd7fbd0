import test from 'node:test'
import assert from 'node:assert/strict'
import {
  decodeManagedFields,
  encodeManagedFields,
  ManagedFieldsError,
  ownerId,
} from '../../../shared/fields/managed-fields.ts'
import type { ManagedFieldsEntry } from '../../../shared/fields/managed-fields.ts'

function entry(manager: string, operation: string, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry {
  return {
    manager,
    operation,
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:a': {} } },
    ...more,
  }
}

test('entries come back as they were, in the order of the server', () => {
  const sorted = [
    entry('z', 'Apply'),
    entry('a', 'Apply', { time: '2026-01-02T00:00:00Z' }),
    entry('n', 'Update', { time: '1970-01-01T00:00:00Z' }),
    entry('a', 'Update'),
    entry('a', 'Update', { apiVersion: 'v2' }),
    entry('a', 'Update', { apiVersion: 'v2', subresource: 'status' }),
  ]
  assert.deepEqual(encodeManagedFields(decodeManagedFields([...sorted].reverse())), sorted)
})

test('an entry without time stands first among its kind', () => {
  const { time: _, ...untimed } = entry('z', 'Update')
  assert.deepEqual(encodeManagedFields(decodeManagedFields([entry('a', 'Update'), untimed])), [
    untimed,
    entry('a', 'Update'),
  ])
})

test('an applier is one owner in all versions, an updater is one in each', () => {
  const owner = { manager: 'm', apiVersion: 'v1', subresource: '' }
  assert.equal(ownerId({ ...owner, operation: 'Apply' }), ownerId({ ...owner, operation: 'Apply', apiVersion: 'v2' }))
  assert.notEqual(
    ownerId({ ...owner, operation: 'Update' }),
    ownerId({ ...owner, operation: 'Update', apiVersion: 'v2' }),
  )
  assert.notEqual(
    ownerId({ ...owner, operation: 'Apply' }),
    ownerId({ ...owner, operation: 'Apply', subresource: 'status' }),
  )
})

const checkRefused = (more: Partial<Record<keyof ManagedFieldsEntry, unknown>>, message: RegExp): void => {
  assert.throws(
    () => decodeManagedFields([{ ...entry('m', 'Apply'), ...more }]),
    (error: unknown) => ManagedFieldsError.is(error) && message.test(error.message),
  )
}

test('malformed entries are refused in the words of the server', () => {
  checkRefused({ operation: 'Write' }, /^operation must be `Apply` or `Update`$/)
  checkRefused({ apiVersion: undefined }, /^apiVersion must not be empty$/)
  checkRefused({ fieldsType: '' }, /^missing fieldsType in managed fields entry 0$/)
  checkRefused({ fieldsType: 'V2' }, /^invalid fieldsType "V2" in managed fields entry 0$/)
  checkRefused({ fieldsV1: { bad: {} } }, /^error decoding set: missing colon: bad$/)
})

test('nobody owns nothing', () => {
  assert.equal(encodeManagedFields(decodeManagedFields(undefined)), undefined)
})
