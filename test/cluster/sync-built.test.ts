import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { embeddedServer } from '../support/test-servers.ts'
import { openLab } from '../support/sync-lab.ts'
import { configMap } from '../support/sync-objects.ts'

const DIST = path.resolve(import.meta.dirname, '../../dist')
const run = promisify(execFile)

test('the built command line needs nothing beside its folder, not even for health scripts', async (t) => {
  if (!existsSync(path.join(DIST, 'glue.wasm'))) return t.skip('dist/ is not built: npm run build')
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-built-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await cp(DIST, path.join(folder, 'dist'), { recursive: true })
  const server = await embeddedServer('embedded', true).start(t)
  const lab = await openLab(t, server, 'built')
  const script = 'return { status = "Suspended", message = "v is " .. obj.data.v }'
  const data = { 'resource.customizations.health.ConfigMap': script }
  const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'argocd-cm', namespace: 'argocd' }, data }
  await lab.scaffold.write({ 'argocd-cm.yaml': JSON.stringify(settings) })
  await lab.commit([configMap('a', { v: '1' })])
  const cli = path.join(folder, 'dist', 'cli.js')
  const options = { cwd: lab.scaffold.folder, env: { PATH: process.env['PATH'], HOME: folder } }
  const flags = ['--kubeconfig', server.kubeconfig]
  await run(process.execPath, [cli, 'app', 'sync', lab.name, ...flags], options)
  const { stdout } = await run(process.execPath, [cli, 'app', 'get', lab.name, '-o', 'json', ...flags], options)
  const { status } = JSON.parse(stdout) as { readonly status: { readonly resources: readonly { health?: unknown }[] } }
  assert.deepEqual(status.resources[0]?.health, { status: 'Suspended', message: 'v is 1' })
})
