// Random conversations with the embedded API server and a real kube-apiserver, every answer compared.
// PLUMBLINE_STEPS: how many requests, 5,000 being the aim; PLUMBLINE_SEED: which ones (1 by default). Most seeds end without a
// difference; as another may find one, it is a search that somebody starts, and what it found and we mended guards the default tests.
import assert from 'node:assert/strict'
import test from 'node:test'
import { startServer } from '../../shared/simulator/server.ts'
import { startControlPlane } from '../support/control-plane.ts'
import { writeCase } from '../support/differential-cases.ts'
import { converse, shrink, signatureOf } from '../support/differential-conversation.ts'
import type { Finding, Pair } from '../support/differential-conversation.ts'
import { conversation } from '../support/differential-generate.ts'
import { setUp } from '../support/differential-setup.ts'
import type { Step } from '../support/differential-step.ts'
import { DifferentialTarget } from '../support/differential-target.ts'
import { Random } from '../support/random.ts'
import { missingTools } from '../support/tools/find.ts'

const steps = Number(process.env['PLUMBLINE_STEPS'] ?? 0)
const seed = Number(process.env['PLUMBLINE_SEED'] ?? 1)
const stepsEach = 25
const mostCases = 12

interface Found {
  readonly talk: readonly Step[]
  readonly finding: Finding
}

test(
  'random conversations are answered as kube-apiserver answers them',
  {
    skip: steps === 0 ? 'no PLUMBLINE_STEPS: a search of minutes, on request' : missingTools('etcd', 'kube-apiserver'),
  },
  async (t) => {
    const plane = await startControlPlane()
    t.after(() => plane.stop())
    const internal: unknown[] = []
    const server = await startServer({ controllers: false, onError: (error) => internal.push(error) })
    t.after(() => server.close())
    const pair: Pair = { real: new DifferentialTarget(plane), ours: new DifferentialTarget(server) }
    t.after(() => Promise.all([pair.real.close(), pair.ours.close()]))
    await setUp(pair.real)
    await setUp(pair.ours)
    const { found, bodies, messages } = await search(pair)
    t.diagnostic(`${steps} steps (seed ${seed}), ${bodies} answers differ, ${messages} more in their texts`)
    const cases: string[] = []
    for (const { talk, finding } of [...found.values()].slice(0, mostCases)) {
      const { body, messages } = finding.difference
      const small = await shrink(pair, talk, finding)
      cases.push(`${await writeCase(pair.real, small)}: ${[...body, ...messages][0] ?? ''}`)
    }
    assert.equal(cases.join('\n'), '', 'differences, now cases in test/fixtures/differential')
    assert.deepEqual(internal, [])
  },
)

async function search(pair: Pair): Promise<{ found: ReadonlyMap<string, Found>; bodies: number; messages: number }> {
  const random = new Random(seed)
  const found = new Map<string, Found>()
  let bodies = 0
  let messages = 0
  for (let done = 0; done < steps; done += stepsEach) {
    const talk = conversation(random, stepsEach)
    for (const finding of await converse(pair, talk)) {
      if (finding.difference.body.length > 0) bodies++
      else messages++
      const step = talk[finding.index]
      if (step === undefined) continue
      const signature = signatureOf(step, finding.difference)
      if (!found.has(signature)) found.set(signature, { talk, finding })
    }
  }
  return { found, bodies, messages }
}
