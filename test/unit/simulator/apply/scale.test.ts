import test from 'node:test'
import assert from 'node:assert/strict'
import type { ManagedFieldsRecord } from '../../../../shared/simulator/object.ts'
import { managedFieldsFromScale, scaleManagedFields } from '../../../../shared/simulator/apply/scale.ts'

// What is expected here was seen on kube-apiserver v1.36.2.
const paths = { 'apps/v1': ['spec', 'replicas'], 'apps/v1beta9': null }
const replicas = { 'f:spec': { 'f:replicas': {} } }

function entry(
  manager: string,
  operation: string,
  fieldsV1: Record<string, unknown>,
  more: ManagedFieldsRecord = {},
): ManagedFieldsRecord {
  return {
    manager,
    operation,
    apiVersion: 'apps/v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...more,
  }
}

const parent = [
  entry('applier', 'Apply', { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } }),
  entry('creator', 'Update', { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } }),
  entry('other', 'Update', { 'f:spec': { 'f:paused': {} } }),
]

function onScale(manager: string, operation: string, more: ManagedFieldsRecord = {}): ManagedFieldsRecord {
  return entry(manager, operation, replicas, { apiVersion: 'autoscaling/v1', ...more })
}

test('a Scale shows who owns the replicas', () => {
  assert.deepEqual(scaleManagedFields(parent, paths), [onScale('applier', 'Apply'), onScale('creator', 'Update')])
  assert.deepEqual(scaleManagedFields([entry('x', 'Apply', replicas, { apiVersion: 'apps/v1beta9' })], paths), [])
})

test('who changes the scale owns the replicas, without a time', () => {
  const scaler = onScale('scaler', 'Update', { subresource: 'scale' })
  const { time: _, ...timeless } = entry('scaler', 'Update', replicas, { subresource: 'scale' })
  assert.deepEqual(managedFieldsFromScale(parent, [scaler], 'apps/v1', paths), [
    entry('applier', 'Apply', { 'f:spec': { 'f:paused': {} } }),
    timeless,
    entry('creator', 'Update', { 'f:spec': { 'f:paused': {} } }),
    entry('other', 'Update', { 'f:spec': { 'f:paused': {} } }),
  ])
})

test('a scale to zero leaves the replicas to nobody', () => {
  assert.deepEqual(managedFieldsFromScale([entry('creator', 'Update', replicas)], [], 'apps/v1', paths), [])
})

test('an applier that keeps the replicas keeps its entry, an updater gets one for them', () => {
  const { time: _, ...timeless } = entry('creator', 'Update', replicas)
  assert.deepEqual(managedFieldsFromScale(parent, scaleManagedFields(parent, paths), 'apps/v1', paths), [
    entry('applier', 'Apply', { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } }),
    timeless,
    entry('creator', 'Update', { 'f:spec': { 'f:paused': {} } }),
    entry('other', 'Update', { 'f:spec': { 'f:paused': {} } }),
  ])
})

test('ownership of a version that is gone is dropped', () => {
  assert.deepEqual(
    managedFieldsFromScale([entry('x', 'Apply', replicas, { apiVersion: 'apps/v0' })], [], 'apps/v1', paths),
    [],
  )
})
