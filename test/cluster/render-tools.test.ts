import assert from 'node:assert/strict'
import { chmod, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { RenderError } from '../../shared/render/errors.ts'
import { createRenderer } from '../../shared/render/render.ts'
import { folderWith, writeFiles } from '../support/folder-checkout.ts'
import { chartFiles } from '../support/helm-sample.ts'
import { kustomizeFiles } from '../support/kustomize-sample.ts'
import { renderRequest } from '../support/render-request.ts'
import { missingTools, toolPath } from '../support/tools/find.ts'

const skip = missingTools('kustomize')
const tools = skip === false ? { kustomize: toolPath('kustomize') } : {}

test('a missing or failing tool says what to install and what to set', async () => {
  const { checkout, dispose } = await folderWith(kustomizeFiles)
  const request = renderRequest(checkout, { path: 'overlay' })
  const path = process.env['PATH']
  try {
    process.env['PATH'] = '/nonexistent'
    await assert.rejects(createRenderer().render(request, {}), (error: unknown) => {
      assert.ok(RenderError.is(error, 'tool-missing'))
      assert.match(error.message, /kustomize is not installed, and neither is kubectl.*plumbline\.tools\.kustomize/)
      return true
    })
    await assert.rejects(
      createRenderer({ tools: { kustomize: '/opt/none' } }).render(request, {}),
      /set to \/opt\/none, which does not run/,
    )
  } finally {
    process.env['PATH'] = path
    await dispose()
  }
})

test('the folder that a tool ran in is gone afterwards, also when it failed', { skip }, async () => {
  const before = await leftovers()
  const { checkout, dispose } = await folderWith({ ...kustomizeFiles, 'o/kustomization.yaml': 'noSuchField: 1\n' })
  await createRenderer({ tools }).render(renderRequest(checkout, { path: 'overlay' }), {})
  await assert.rejects(createRenderer({ tools }).render(renderRequest(checkout, { path: 'o' }), {}))
  await dispose()
  assert.deepEqual(await leftovers(), before)
})

async function leftovers(): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => /^(?:plumbline-home|folder-checkout)-/.test(name)).sort()
}

test('a tool that takes too long is stopped', { skip }, async () => {
  const { checkout, root, dispose } = await folderWith({
    ...kustomizeFiles,
    'slow.sh': '#!/bin/sh\n[ "$1" = version ] && { echo v5; exit; }\nsleep 60\n',
  })
  await chmod(join(root, 'slow.sh'), 0o755)
  const slow = createRenderer({ tools: { kustomize: join(root, 'slow.sh') }, timeoutMs: 300 })
  const before = performance.now()
  await assert.rejects(slow.render(renderRequest(checkout, { path: 'overlay' }), {}), { reason: 'timed-out' })
  assert.ok(performance.now() - before < 10_000)
  await dispose()
})
test('helm is run with a bare environment', async () => {
  const script = '#!/bin/sh\n[ "$1" = version ] && { echo v4; exit; }\nenv | sed "s/^/# /"\n'
  const { root, checkout, dispose } = await folderWith({ ...chartFiles, 'helm.sh': script })
  await chmod(join(root, 'helm.sh'), 0o755)
  const printing = '#!/bin/sh\n[ "$1" = version ] && { echo v4; exit; }\nenv >&2; exit 1\n'
  await writeFiles(root, { 'helm.sh': printing })
  process.env['SECRET_TOKEN'] = 'hunter2'
  const renderer = createRenderer({ tools: { helm: join(root, 'helm.sh') } })
  await assert.rejects(renderer.render(renderRequest(checkout, { path: 'chart' }), {}), (error: Error) => {
    assert.doesNotMatch(error.message, /hunter2|SECRET_TOKEN/)
    assert.match(error.message, /GIT_ALLOW_PROTOCOL=none/)
    return true
  })
  delete process.env['SECRET_TOKEN']
  await dispose()
})

test('without helm the error says what to install and what to set', async () => {
  const { checkout, dispose } = await folderWith(chartFiles)
  const path = process.env['PATH']
  process.env['PATH'] = '/nonexistent'
  try {
    const render = createRenderer().render(renderRequest(checkout, { path: 'chart' }), {})
    await assert.rejects(render, {
      reason: 'tool-missing',
      message: /helm is not installed; install it.*plumbline\.tools\.helm/,
    })
  } finally {
    process.env['PATH'] = path
    await dispose()
  }
})

test('a cancelled tool is stopped, and that is no failure', { skip }, async () => {
  const script = '#!/bin/sh\n[ "$1" = version ] && { echo v5; exit; }\nsleep 60\n'
  const { checkout, root, dispose } = await folderWith({ ...kustomizeFiles, 'slow.sh': script })
  await chmod(join(root, 'slow.sh'), 0o755)
  const slow = createRenderer({ tools: { kustomize: join(root, 'slow.sh') } })
  const render = slow.render(renderRequest(checkout, { path: 'overlay' }), { signal: AbortSignal.timeout(300) })
  await assert.rejects(render, { name: 'CancelledError' })
  await dispose()
})
