import assert from 'node:assert/strict'
import test from 'node:test'
import { startServer } from '../../../shared/simulator/server.ts'
import { readCases } from '../../support/differential-cases.ts'
import { differenceOf, normalAnswer } from '../../support/differential-compare.ts'
import { answersOf } from '../../support/differential-conversation.ts'
import { setUp } from '../../support/differential-setup.ts'
import { DifferentialTarget } from '../../support/differential-target.ts'

test('what once differed from kube-apiserver is answered as kube-apiserver answers it', async (t) => {
  const server = await startServer({ controllers: false })
  const target = new DifferentialTarget(server)
  t.after(async () => {
    await target.close()
    await server.close()
  })
  await setUp(target)
  const cases = await readCases()
  for (const [name, { steps }] of cases) {
    await t.test(name, async () => {
      const answers = await answersOf(target, steps)
      for (const [index, { method, path, expect }] of steps.entries()) {
        const got = answers[index]
        assert.ok(got)
        const difference = differenceOf(normalAnswer(expect, ''), got)
        const lines = [...(difference?.body ?? []), ...(difference?.messages ?? [])]
        assert.equal(lines.join('\n'), '', `request ${index + 1}, ${method} ${path}`)
      }
    })
  }
})
