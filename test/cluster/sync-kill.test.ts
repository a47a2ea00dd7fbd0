import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import test, { type TestContext } from 'node:test'
import { plumbline } from '../support/line-cli.ts'
import { everyObject, type StoredObject } from '../support/line-objects.ts'
import { Random } from '../support/random.ts'
import { openLab, type Lab } from '../support/sync-lab.ts'
import { configMap, deployment, hook, job, options, wave } from '../support/sync-objects.ts'
import { syncServers } from '../support/sync-servers.ts'
import type { StartedServer } from '../support/test-servers.ts'
import { WriteOrder } from '../support/write-order.ts'

/** As many as a run has time for; a whole one has 200. */
const KILLS = Number(process.env['PLUMBLINE_KILLS'] ?? 20)
const HOOKS = ['Job/pre', 'Job/during', 'Job/post']

const before = [
  configMap('early', { v: '1' }, wave(-1)),
  deployment('web'),
  configMap('late', { v: '1' }, wave(2)),
  configMap('gone-first', {}, wave(2)),
  configMap('gone-last', {}, wave(-1)),
  configMap('gone-at-the-end', {}, options('PruneLast=true')),
]
const after = [
  job('pre', hook('PreSync')),
  configMap('early', { v: '2' }, wave(-1)),
  deployment('web', {}, { image: 'nginx:1.28' }),
  job('during', { ...hook('Sync', 'HookSucceeded'), ...wave(1) }),
  configMap('late', { v: '2' }, wave(2)),
  configMap('fresh', {}, wave(3)),
  job('post', hook('PostSync', 'HookSucceeded')),
]
const DELETED = ['ConfigMap/gone-first', 'ConfigMap/gone-last', 'ConfigMap/gone-at-the-end', 'Job/during', 'Job/post']

for (const server of syncServers) {
  const kills = server.name.startsWith('a real') ? Math.ceil(KILLS / 5) : KILLS
  test(`a sync with waves, hooks and prunes that is killed at any of ${kills} moments is finished by the next, on ${server.name}`, async (t) => {
    const skip = await server.missing()
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    const order = await WriteOrder.start(running)
    t.after(() => order.stop())
    const undisturbed = await prepared(t, running)
    const whole = await plumbline(argumentsOf(undisturbed, running), { cwd: undisturbed.scaffold.folder })
    assert.equal(whole.code, 0, whole.stderr)
    const wanted = await stateOf(undisturbed, running)
    const random = new Random(20_261_120)
    const tally = { killed: 0, late: 0, recovered: 0, resumed: 0, anew: 0 }
    for (let kill = 0; kill < kills; kill++) {
      // Before that the process only starts.
      const moment = (0.25 + 0.75 * random.next()) * whole.ms
      await t.test(`kill ${kill + 1} after ${Math.round(moment)} ms`, async (t) => {
        const lab = await prepared(t, running)
        await killed(lab, running, moment, tally)
        const pass = await lab.sync()
        assert.notEqual(pass.outcome?.phase, 'Failed', pass.outcome?.message)
        assert.deepEqual(await stateOf(lab, running), wanted)
        await judge(lab, order, tally)
        tally.recovered++
      })
    }
    const { killed: dead, late, recovered, resumed, anew } = tally
    t.diagnostic(
      `${recovered} recovered, ${kills - recovered} failed; of ${kills}: ${dead} killed, ${late} had ended before`,
    )
    t.diagnostic(`the next sync went on with ${resumed}, and began anew in ${anew}`)
  })
}

type Tally = { killed: number; late: number; recovered: number; resumed: number; anew: number }

/** The application at its first revision on the cluster, and at its second in Git. */
async function prepared(t: TestContext, server: StartedServer): Promise<Lab> {
  const lab = await openLab(t, server, 'kill')
  await lab.commit(before)
  const { outcome } = await lab.sync()
  assert.equal(outcome?.phase, 'Succeeded', outcome?.message)
  await lab.commit(after)
  return lab
}

function argumentsOf(lab: Lab, { kubeconfig, context }: StartedServer): readonly string[] {
  return [
    'app',
    'sync',
    lab.name,
    '--prune',
    '--kubeconfig',
    kubeconfig,
    ...(context === '' ? [] : ['--context', context]),
  ]
}

async function killed(lab: Lab, server: StartedServer, moment: number, tally: Tally): Promise<void> {
  const { signal, code, stderr } = await plumbline(argumentsOf(lab, server), {
    cwd: lab.scaffold.folder,
    onStart: (child) => void setTimeout(moment, undefined, { ref: false }).then(() => child.kill('SIGKILL')),
  })
  if (signal === 'SIGKILL') tally.killed++
  else {
    assert.equal(code, 0, stderr)
    tally.late++
  }
}

/** Every hook ran once in each operation that came to its end, and nothing was deleted that the plan did not list. */
async function judge(lab: Lab, order: WriteOrder, tally: Tally): Promise<void> {
  const { history } = (await lab.look()).snapshot
  const ended = history.length - 1
  tally[ended === 1 ? 'resumed' : 'anew']++
  const writes = await order.of(lab.name)
  for (const name of HOOKS)
    assert.equal(writes.filter((write) => write === name).length, ended, `${name} in ${writes.join(' ')}`)
  const deleted = new Set(writes.filter((write) => write.startsWith('-')).map((write) => write.slice(1)))
  // The first hook is made anew by a sync that begins after the killed one had ended.
  if (ended > 1) deleted.delete('Job/pre')
  assert.deepEqual([...deleted].sort(), [...DELETED].sort())
}

async function stateOf(lab: Lab, server: StartedServer): Promise<readonly unknown[]> {
  const objects = (await everyObject(server)).filter(({ metadata }) => metadata.namespace === lab.name)
  return objects
    .filter((object) => isLasting(object))
    .map(({ kind, metadata, data }) => ({ kind, name: metadata.name, data }))
    .sort((a, b) => (`${a.kind}/${a.name}` < `${b.kind}/${b.name}` ? -1 : 1))
}

/** What controllers made, and are still taking away, is theirs. */
function isLasting({ kind, metadata }: StoredObject): boolean {
  const theirs = metadata.ownerReferences !== undefined || ['Pod', 'Event', 'Endpoints'].includes(kind)
  return !theirs && metadata.deletionTimestamp === undefined && metadata.name !== 'kube-root-ca.crt'
}
