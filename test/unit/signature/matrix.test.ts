import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disagreement, ourVerdict } from '../../support/signature-matrix.ts'
import { readMatrix } from '../../support/signature-record.ts'

process.env['TZ'] = 'UTC'

test('every recorded signature is judged as git judged it', async (t) => {
  const { recordedAt, cases } = readMatrix()
  const wrong: string[] = []
  for (const item of cases) {
    const difference = disagreement(item, await ourVerdict(item, recordedAt))
    if (difference !== undefined) wrong.push(`${item.name}: ${difference}`)
  }
  t.diagnostic(`recorded matrix: ${cases.length} cases, ${wrong.length} disagreements`)
  assert.deepEqual(wrong, [])
  assert.ok(cases.length > 250, 'the fixture was cut short')
})
