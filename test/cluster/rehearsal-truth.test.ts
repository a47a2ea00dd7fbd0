import assert from 'node:assert/strict'
import test from 'node:test'
import { startProvisioner } from '../support/control-plane-provisioner.ts'
import { startControlPlane } from '../support/control-plane.ts'
import { corporaMissing } from '../support/corpora.ts'
import { corporaScenarios } from '../support/rehearsal-scenarios-corpora.ts'
import { ownScenarios } from '../support/rehearsal-scenarios-own.ts'
import { playScenario, type Verdict } from '../support/rehearsal-truth.ts'
import { missingTools } from '../support/tools/find.ts'

// One scenario alone: PLUMBLINE_SCENARIO=guestbook-new
const asked = process.env['PLUMBLINE_SCENARIO']

test('a rehearsal tells what then happens on a real control plane', async (t) => {
  const skip = missingTools('etcd', 'kube-apiserver', 'kube-controller-manager') || corporaMissing
  if (skip) return t.skip(skip)
  const plane = await startControlPlane({ controllerManager: true })
  t.after(() => plane.stop())
  const server = { kubeconfig: plane.kubeconfigPath, context: 'admin', url: plane.url, token: plane.token }
  const provisioner = await startProvisioner(plane.client)
  t.after(() => provisioner.stop())
  const verdicts: Verdict[] = []
  for (const scenario of [...corporaScenarios, ...ownScenarios]) {
    if (asked !== undefined && !asked.split(',').includes(scenario.name)) continue
    await t.test(scenario.name, async (t) => {
      const verdict = await playScenario(t, server, plane.client, scenario)
      verdicts.push(verdict)
      t.diagnostic(
        `agreed ${verdict.agreed.length}, foretold only ${verdict.foretold.length}, happened only ${verdict.happened.length}`,
      )
      const told = { foretold: verdict.foretold, happened: verdict.happened }
      const agreed = verdict.foretold.length + verdict.happened.length === 0
      if (!agreed && verdict.explained) t.diagnostic(`said that it could not know: ${verdict.unknowns.join('; ')}`)
      else assert.deepEqual(told, { foretold: [], happened: [] })
      if (scenario.shows !== undefined) assert.match(verdict.agreed.join('\n'), scenario.shows)
    })
  }
  const agreed = verdicts.reduce((sum, one) => sum + one.agreed.length, 0)
  const unknown = verdicts.filter(
    ({ explained, foretold, happened }) => explained && foretold.length + happened.length > 0,
  )
  const wrong = verdicts.filter(({ explained }) => !explained)
  t.diagnostic(
    `${verdicts.length} scenarios, line by line: agreed ${agreed}, disagreed ${differing(wrong)}, said to be unknown ${differing(unknown)}`,
  )
})

function differing(some: readonly Verdict[]): number {
  return some.reduce((sum, { foretold, happened }) => sum + Math.max(foretold.length, happened.length), 0)
}
