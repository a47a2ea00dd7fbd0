// kubectl against the embedded API server says what it says against a real kube-apiserver.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { structuredPatch } from 'diff'
import type { TestContext } from 'node:test'
import { startServer } from '../../shared/simulator/server.ts'
import { startControlPlane } from '../support/control-plane.ts'
import { compareKubectl, writeFiles } from '../support/differential-kubectl.ts'
import type { KubectlPair, KubectlStep } from '../support/differential-kubectl.ts'
import {
  applyingSteps,
  changingSteps,
  deletingSteps,
  explainingSteps,
  readingSteps,
  rolloutSteps,
} from '../support/differential-kubectl-steps.ts'
import { kubectlFiles } from '../support/differential-kubectl-files.ts'
import { missingTools } from '../support/tools/find.ts'

const skip = missingTools('etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl')

test('kubectl sees a kube-apiserver', { skip }, async (t) => {
  const pair = await startBoth(t, false)
  const folder = await files(t)
  const groups: readonly (readonly [string, readonly KubectlStep[]])[] = [
    ['apply, diff, create and replace', applyingSteps],
    ['patch, edit, label, annotate, scale and set', changingSteps],
    ['get, describe, events, logs, auth and wait', readingSteps],
    ['explain and api-resources', explainingSteps],
    ['delete', deletingSteps],
  ]
  for (const [name, steps] of groups) await t.test(name, () => check(pair, folder, steps))
})

test('kubectl sees a cluster with its controllers', { skip }, async (t) => {
  const pair = await startBoth(t, true)
  await check(pair, await files(t), rolloutSteps)
})

async function check(pair: KubectlPair, folder: string, steps: readonly KubectlStep[]): Promise<void> {
  const differences = await compareKubectl(pair, folder, steps)
  const told = differences.map(
    ({ argv, expected, got }) => `$ kubectl ${argv}
${linesThatDiffer(expected, got)}`,
  )
  const count = `${differences.length} of ${steps.length} calls differ`
  assert.ok(differences.length === 0, `${count} (- kube-apiserver, + ours)\n${told.join('\n')}`)
}

function linesThatDiffer(expected: string, got: string): string {
  const { hunks } = structuredPatch('', '', expected, got, '', '', { context: 0 })
  return hunks.flatMap(({ lines }) => lines).join('\n')
}

async function files(t: TestContext): Promise<string> {
  const { folder, remove } = await writeFiles(kubectlFiles)
  t.after(remove)
  return folder
}

async function startBoth(t: TestContext, controllers: boolean): Promise<KubectlPair> {
  const plane = await startControlPlane({ controllerManager: controllers })
  t.after(() => plane.stop())
  const server = await startServer({ controllers })
  const home = await mkdtemp(path.join(tmpdir(), 'plumbline-embedded-'))
  t.after(async () => {
    await server.close()
    await rm(home, { recursive: true, force: true })
  })
  const ours = path.join(home, 'kubeconfig')
  await writeFile(ours, server.kubeconfig(), { mode: 0o600 })
  return { real: plane.kubeconfigPath, ours }
}
