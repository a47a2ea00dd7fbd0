import assert from 'node:assert/strict'
import test from 'node:test'
import type { EventRow } from '../../../shared/model/front.ts'
import { levelOf, mergeEvents, type LogLevel } from '../../../shared/ui/log-lines.ts'

test('a log line has the level that it states', () => {
  check('2026-11-20T12:00:00Z INFO started', 'info')
  check('2026-11-20T12:00:00Z ERROR cannot start', 'error')
  check('[WARN] slow', 'warning')
  check('time="12:00" level=warning msg="slow"', 'warning')
  check('{"level":"error","msg":"no"}', 'error')
  check('{"severity": "CRITICAL", "message": "no"}', 'error')
  check('E1120 12:00:00.000000       1 reflector.go:1] failed', 'error')
  check('W1120 12:00:00.000000       1 reflector.go:1] failed', 'warning')
  check('GET /errors 200', 'info')
  check('the word error in a sentence', 'info')
  check('', 'info')
})

test('an event that comes again takes its own place, the newest first', () => {
  const merged = mergeEvents([event('a', '1'), event('b', '2')], [event('a', '3')])
  assert.deepEqual(
    merged.map(({ uid, time }) => uid + time),
    ['a3', 'b2'],
  )
})

function check(line: string, level: LogLevel): void {
  assert.equal(levelOf(line), level, line)
}

function event(uid: string, time: string): EventRow {
  const about = { group: '', kind: 'Pod', namespace: 'n', name: 'p' }
  return { uid, type: 'Normal', reason: 'Pulled', message: '', about, source: 'kubelet', time, count: 1 }
}
