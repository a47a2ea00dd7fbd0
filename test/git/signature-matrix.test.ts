import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disagreement, makeMatrix, ourVerdict } from '../support/signature-matrix.ts'
import { Workshop, missingProgram } from '../support/signature-workshop.ts'

process.env['TZ'] = 'UTC'

test('every verdict is the word of git, gpg and ssh-keygen', async (t) => {
  const missing = missingProgram(['git', 'gpg', 'ssh-keygen', 'gpgconf'])
  if (missing !== undefined) return t.skip(`no ${missing} on PATH`)
  const workshop = new Workshop()
  try {
    const matrix = makeMatrix(workshop)
    const wrong: string[] = []
    for (const item of matrix) {
      const difference = disagreement(item, await ourVerdict(item, Date.now()))
      if (difference !== undefined) wrong.push(`${item.name}: ${difference}`)
    }
    const accepted = matrix.filter((item) => item.git.accepted).length
    const stricter = matrix.filter((item) => item.stricter !== undefined && item.git.accepted)
    t.diagnostic(`signature matrix: ${matrix.length} cases, ${accepted} accepted by git, ${wrong.length} disagreements`)
    t.diagnostic(
      `refused on purpose though git accepts: ${stricter.length}: ${stricter.map((item) => item.name).join('; ')}`,
    )
    assert.deepEqual(wrong, [])
    assert.ok(matrix.length > 250, 'the matrix was cut short')
  } finally {
    workshop.dispose()
  }
})
