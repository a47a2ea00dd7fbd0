import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import test from 'node:test'
import { endProcesses, isAlive, markOf, processesNaming } from '../../../shared/clusters/process-identity.ts'

const skip = process.platform === 'linux' ? false : 'only Linux tells of other processes here'

test(
  'only our own servers are found by the folder that they were started on, and nobody who merely looks into it',
  { skip },
  async (t) => {
    const folder = '/tmp/plumbline-no-such-folder'
    const start = (...words: readonly string[]): number => {
      const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)', '--', ...words], {
        stdio: 'ignore',
        detached: true,
      })
      t.after(() => child.kill('SIGKILL'))
      return child.pid ?? 0
    }
    const ours = start('/opt/etcd', `--data-dir=${folder}/etcd`)
    const looking = start('less', `${folder}/etcd`)
    const other = start('/opt/etcd', `--data-dir=${folder}-2/etcd`)
    const until = Date.now() + 5000
    while ((await processesNaming(folder)).length < 2 && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 20))
    assert.deepEqual(await processesNaming(folder, ['etcd']), [ours])
    const mark = await markOf(ours)
    assert.ok(mark !== undefined && (await isAlive(mark)))
    assert.equal(await isAlive({ ...mark, started: '1' }), false, 'another process of that number is not it')
    await endProcesses([ours], 2000)
    assert.equal(await isAlive(mark), false)
    for (const pid of [looking, other]) assert.ok((await markOf(pid)) !== undefined)
  },
)
