import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSource } from '../../shared/git/source.ts'
import type { ApplicationSource } from '../../shared/model/application.ts'
import type { Rendered } from '../../shared/model/ports.ts'
import { createRenderer } from '../../shared/render/render.ts'
import { kustomizeFiles } from '../support/kustomize-sample.ts'
import { renderRequest } from '../support/render-request.ts'
import { gitIsMissing, scaffoldRepository } from '../support/scaffold-repository.ts'
import { missingTools, toolPath } from '../support/tools/find.ts'

const skip = (await gitIsMissing()) ?? false
const skipTools = skip === false ? missingTools('kustomize') : skip
const tools = skipTools === false ? { kustomize: toolPath('kustomize') } : {}

const pod = (name: string, image = 'a'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec:\n  image: ${image}\n`

async function workbench(overlay?: () => ReadonlyMap<string, string>) {
  const repository = await scaffoldRepository()
  const source = await createSource({ workspace: repository.folder, ...(overlay === undefined ? {} : { overlay }) })
  const renderer = createRenderer({ tools })
  const render = async (path: string, more: Partial<ApplicationSource> = {}): Promise<Rendered> => {
    const request = renderRequest(undefined as never, { repoURL: repository.folder, path, ...more }, { name: 'app' })
    const checkout = await source.resolve(request.source, {})
    return renderer.render({ ...request, checkout }, {})
  }
  const dispose = async (): Promise<void> => {
    await source.dispose()
    await repository.dispose()
  }
  return { repository, source, renderer, render, dispose }
}

test('of 500 applications in Git, a commit that touches one renders one', { skip }, async (t) => {
  const { repository, source, renderer, dispose } = await workbench()
  const apps = Array.from({ length: 500 }, (_, index) => `apps/app-${index}`)
  const pass = async (): Promise<number> => {
    const before = performance.now()
    const checkout = await source.resolve(renderRequest(undefined as never, { repoURL: repository.folder }).source, {})
    for (const path of apps)
      await renderer.render(renderRequest(checkout, { path }, { name: path.replace('/', '-') }), {})
    return Math.round(performance.now() - before)
  }
  try {
    await repository.write(Object.fromEntries(apps.map((app) => [`${app}/pod.yaml`, pod('a')])))
    await repository.commit('all')
    const first = await pass()
    assert.equal(renderer.counts.done, 500)
    await repository.write({ 'apps/app-7/pod.yaml': pod('a', 'b'), 'README.md': 'x' })
    await repository.commit('one')
    const second = await pass()
    assert.equal(renderer.counts.done, 501)
    t.diagnostic(`first ${first} ms, after the commit ${second} ms`)
  } finally {
    await dispose()
  }
})

test('a commit and the clean working tree of it are one render', { skip }, async () => {
  const { repository, renderer, render, dispose } = await workbench()
  try {
    await repository.write({ 'app/a.yaml': pod('a') })
    await repository.commit('one')
    const committed = await render('app')
    assert.equal(await render('app', { targetRevision: 'WORKTREE' }), committed)
    assert.equal(renderer.counts.done, 1)
    await repository.write({ 'app/a.yaml': pod('a', 'b') })
    assert.notEqual(await render('app', { targetRevision: 'WORKTREE' }), committed)
    assert.equal(await render('app'), committed)
  } finally {
    await dispose()
  }
})

test('unsaved text of an editor is rendered, and its fields are found in it', { skip }, async () => {
  const unsaved = new Map<string, string>()
  const { repository, renderer, render, dispose } = await workbench(() => unsaved)
  try {
    await repository.write({ 'app/a.yaml': pod('a') })
    await repository.commit('one')
    unsaved.set(`${repository.folder}/app/a.yaml`, `# typed\n${pod('a', 'typed')}`)
    const { manifests } = await render('app', { targetRevision: 'WORKTREE' })
    const [manifest] = manifests
    assert.ok(manifest !== undefined)
    assert.deepEqual(manifest.object['spec'], { image: 'typed' })
    assert.deepEqual(renderer.locate(manifest, ['spec', 'image']), { file: 'app/a.yaml', line: 6, column: 3 })
  } finally {
    await dispose()
  }
})

test('links inside of the repository are followed, and what they lead to is watched', { skip }, async () => {
  const { repository, renderer, render, dispose } = await workbench()
  try {
    await repository.write({ 'shared/b.yaml': pod('b'), 'app/a.yaml': pod('a') })
    await repository.link('app/b.yaml', '../shared/b.yaml')
    await repository.link('app/gone.yaml', '../nothing.yaml')
    await repository.link('linked', 'app')
    await repository.commit('one')
    assert.deepEqual(
      (await render('app')).manifests.map(({ id }) => id.name),
      ['a', 'b'],
    )
    assert.match((await render('app')).warnings.join(), /app\/gone\.yaml is skipped/)
    assert.deepEqual(
      (await render('linked')).manifests.map(({ origin }) => origin?.file),
      ['linked/a.yaml', 'linked/b.yaml'],
    )
    const before = renderer.counts.done
    await repository.write({ 'shared/b.yaml': pod('changed') })
    await repository.commit('two')
    assert.deepEqual(
      (await render('app')).manifests.map(({ id }) => id.name),
      ['a', 'changed'],
    )
    assert.equal(renderer.counts.done, before + 1)
  } finally {
    await dispose()
  }
})

test('a link out of the repository is an error, whatever it leads to', { skip }, async () => {
  const { repository, render, dispose } = await workbench()
  try {
    await repository.write({ 'app/a.yaml': pod('a') })
    await repository.link('app/passwd.yaml', '/etc/passwd')
    await repository.commit('one')
    await assert.rejects(render('app'), { reason: 'path-outside' })
    await assert.rejects(render('app', { targetRevision: 'WORKTREE' }), { reason: 'path-outside' })
  } finally {
    await dispose()
  }
})

test('a huge file in Git is refused', { skip }, async () => {
  const { repository, render, dispose } = await workbench()
  try {
    await repository.write({ 'app/a.yaml': `${pod('a')}  x: ${'y'.repeat(50 * 1024 * 1024)}\n` })
    await repository.commit('one')
    await assert.rejects(render('app'), { reason: 'too-large', message: /app\/a\.yaml/ })
  } finally {
    await dispose()
  }
})

test('a kustomization in Git is rendered from its commit, also through linked bases', { skip: skipTools }, async () => {
  const { repository, renderer, render, dispose } = await workbench()
  try {
    await repository.write(kustomizeFiles)
    await repository.link('alias', 'base')
    await repository.write({ 'through/kustomization.yaml': 'resources: [../alias]\n' })
    await repository.commit('one')
    assert.equal((await render('overlay')).manifests.length, 4)
    assert.equal((await render('through')).manifests.length, 4)
    await repository.write({ 'unrelated/a.yaml': 'a: 2\n' })
    await repository.commit('two')
    await render('overlay')
    await render('through')
    assert.equal(renderer.counts.done, 2)
    await repository.write({ 'base/env.properties': 'C=2\n' })
    await repository.commit('three')
    await render('overlay')
    await render('through')
    assert.equal(renderer.counts.done, 4)
  } finally {
    await dispose()
  }
})

test('a base by URL is fetched where that is allowed, with a word about it', { skip: skipTools }, async () => {
  const { repository, source, render, dispose } = await workbench()
  try {
    const remote = await repository.sibling('remote')
    await remote.write({ 'base/kustomization.yaml': 'resources: [pod.yaml]\n', 'base/pod.yaml': pod('far') })
    await remote.commit('one')
    const url = `git::file://${remote.folder}//base?ref=main`
    await repository.write({ 'app/kustomization.yaml': `resources: ["${url}"]\n` })
    await repository.commit('one')
    await assert.rejects(render('app'), { reason: 'remote-base' })
    const request = renderRequest(undefined as never, { repoURL: repository.folder, path: 'app' })
    const checkout = await source.resolve(request.source, {})
    const allowing = createRenderer({ tools, allowRemoteBases: true })
    const { manifests, warnings } = await allowing.render({ ...request, checkout }, {})
    assert.deepEqual(
      manifests.map(({ id }) => id.name),
      ['far'],
    )
    assert.deepEqual(manifests[0]?.origin?.file, 'app/kustomization.yaml')
    assert.match(warnings.join(), /is fetched once/)
  } finally {
    await dispose()
  }
})
