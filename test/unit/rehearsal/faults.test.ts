import assert from 'node:assert/strict'
import test from 'node:test'
import type { Fault } from '../../../shared/model/rehearsal.ts'
import { parseFault } from '../../../shared/rehearsal/faults.ts'
import { RehearsalError } from '../../../shared/rehearsal/rehearsal-error.ts'

test('what is to fail is read from one word', () => {
  const cases: readonly (readonly [string, Fault])[] = [
    ['image=nginx:*', { kind: 'image', pattern: 'nginx:*' }],
    ['image=r.example.com/a=b', { kind: 'image', pattern: 'r.example.com/a=b' }],
    ['hook=PreSync', { kind: 'hook', name: 'PreSync' }],
    ['quota=shop', { kind: 'quota', namespace: 'shop' }],
    ['webhook=*', { kind: 'webhook', pattern: '*' }],
    ['not-ready=web', { kind: 'not-ready', name: 'web' }],
    ['crash=web', { kind: 'crash', name: 'web' }],
  ]
  for (const [text, expected] of cases) assert.deepEqual(parseFault(text), expected, text)
})

test('words that mean nothing are refused with those that there are', () => {
  for (const text of ['', 'image', 'image=', 'disk=full']) {
    assert.throws(
      () => parseFault(text),
      (error) => RehearsalError.is(error, 'fault') && /not-ready=WORKLOAD/.test(error.next ?? ''),
      text,
    )
  }
})
