import assert from 'node:assert/strict'
import test from 'node:test'
import type { Plan } from '../../shared/model/plan.ts'
import { plumbline } from '../support/line-cli.ts'
import { openLab } from '../support/sync-lab.ts'
import { configMap, deployment, hook, job, options, wave } from '../support/sync-objects.ts'
import { syncServers } from '../support/sync-servers.ts'

const service = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ port: 80 }] },
})
const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}

const fixed = (value: string): object => ({
  ...configMap('fixed', { value }, options('Force=true')),
  immutable: true,
})

for (const server of syncServers) {
  test(`a dry run shows the whole plan and what it does to others, on ${server.name}`, async (t) => {
    const skip = await server.missing()
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    const lab = await openLab(t, running, 'effects')
    await lab.commit([
      deployment('web'),
      deployment('old'),
      service('web'),
      service('old'),
      claim,
      fixed('1'),
      configMap('kept', {}, options('Prune=false')),
    ])
    await lab.sync()
    await lab.commit([
      job('pre', hook('PreSync')),
      deployment('web', {}, { image: 'nginx:1.28' }),
      service('web'),
      service('old'),
      fixed('2'),
      configMap('late', {}, wave(3)),
    ])
    const flags = [
      '--kubeconfig',
      running.kubeconfig,
      ...(running.context === '' ? [] : ['--context', running.context]),
    ]
    const argv = ['app', 'sync', lab.name, '--prune', '--dry-run', '-o', 'json', ...flags]
    const { stdout, stderr, code } = await plumbline(argv, { cwd: lab.scaffold.folder })
    assert.equal(code, 0, stderr)
    const plan = JSON.parse(stdout) as Plan
    const told = plan.steps.map(({ id, action, phase, wave, readiness, effects }) => ({
      step: `${phase} ${wave} ${action} ${id.kind}/${id.name.replace(lab.name, '')}`,
      readiness: readiness.kind,
      effects: effects.map(({ kind }) => kind).join(),
    }))
    assert.deepEqual(told, [
      { step: 'PreSync 0 create Job/pre', readiness: 'ready', effects: '' },
      { step: 'Sync 0 prune Deployment/old', readiness: 'held', effects: 'endpoints-lost' },
      { step: 'Sync 0 prune PersistentVolumeClaim/data', readiness: 'held', effects: 'data-loss' },
      { step: 'Sync 0 prune ConfigMap/kept', readiness: 'refused', effects: '' },
      { step: 'Sync 0 update ConfigMap/fixed', readiness: 'held', effects: 'replacement' },
      { step: 'Sync 0 update Deployment/web', readiness: 'held', effects: 'pods-restart' },
      { step: 'Sync 3 create ConfigMap/late', readiness: 'held', effects: '' },
    ])
    assert.deepEqual(
      { wave: plan.progress.wave, waves: plan.progress.waves, due: plan.progress.due },
      { wave: 1, waves: 3, due: 6 },
    )
    assert.match(stderr, /1 pod restarts/)
  })
}
