import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Checkout } from '../../../shared/model/ports.ts'
import { createRenderer } from '../../../shared/render/render.ts'
import { folderWith, writeFiles } from '../../support/folder-checkout.ts'
import { renderRequest } from '../../support/render-request.ts'

const pod = (name: string, image = 'a'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {image: ${image}}\n`

test('a commit that touches one of 500 applications renders one', async () => {
  const apps = Array.from({ length: 500 }, (_, index) => `apps/app-${index}`)
  const { root, checkout, dispose } = await folderWith(
    Object.fromEntries(apps.map((app) => [`${app}/pod.yaml`, pod('a')])),
  )
  const renderer = createRenderer()
  const pass = async (): Promise<void> => {
    for (const path of apps) await renderer.render(renderRequest(checkout, { path }, { name: path }), {})
  }
  try {
    await pass()
    assert.equal(renderer.counts.done, 500)
    await pass()
    assert.equal(renderer.counts.done, 500)
    await writeFiles(root, { 'apps/app-7/pod.yaml': pod('a', 'b'), 'README.md': 'x' })
    await pass()
    assert.equal(renderer.counts.done, 501)
    assert.equal(renderer.counts.asked, 1500)
  } finally {
    await dispose()
  }
})

test('a folder is not rendered again for files that it does not select', async () => {
  const { root, checkout, dispose } = await folderWith({
    'a.yaml': pod('a'),
    'sub/b.yaml': pod('b'),
    'c.yaml': pod('c'),
  })
  const renderer = createRenderer()
  const request = renderRequest(checkout, { path: '.', directory: { exclude: 'c.yaml' } })
  try {
    const first = await renderer.render(request, {})
    await writeFiles(root, { 'sub/b.yaml': pod('b', 'x'), 'c.yaml': pod('c', 'x'), 'README.md': 'x' })
    assert.equal(await renderer.render(request, {}), first)
    await writeFiles(root, { 'd.yaml': pod('d') })
    assert.equal((await renderer.render(request, {})).manifests.length, 2)
    assert.equal(renderer.counts.done, 2)
  } finally {
    await dispose()
  }
})

test('going back to what was rendered before renders nothing', async () => {
  const { root, checkout, dispose } = await folderWith({ 'a.yaml': pod('a') })
  const renderer = createRenderer()
  const request = renderRequest(checkout, {})
  try {
    const first = await renderer.render(request, {})
    await writeFiles(root, { 'a.yaml': pod('a', 'x') })
    await renderer.render(request, {})
    await writeFiles(root, { 'a.yaml': pod('a') })
    assert.equal(await renderer.render(request, {}), first)
    assert.equal(renderer.counts.done, 2)
  } finally {
    await dispose()
  }
})

test('a file that changes its type from folder to kustomization is not answered from memory', async () => {
  const { root, checkout, dispose } = await folderWith({ 'a.yaml': pod('a') })
  const renderer = createRenderer({ tools: { kustomize: 'no-such-kustomize' } })
  const request = renderRequest(checkout, {})
  try {
    assert.equal((await renderer.render(request, {})).type, 'Directory')
    await writeFiles(root, { Kustomization: 'resources: [a.yaml]\n' })
    await assert.rejects(renderer.render(request, {}), /no-such-kustomize/)
  } finally {
    await dispose()
  }
})

test('what changes while it is rendered is not remembered', async () => {
  const { root, checkout, dispose } = await folderWith({ 'a.yaml': pod('a') })
  const renderer = createRenderer()
  const late: Checkout = Object.assign(Object.create(checkout) as Checkout, {
    read: async (path: string) => {
      await writeFiles(root, { 'a.yaml': pod('b') })
      return checkout.read(path)
    },
  })
  try {
    await renderer.render(renderRequest(late, {}), {})
    await writeFiles(root, { 'a.yaml': pod('a') })
    const { manifests } = await renderer.render(renderRequest(checkout, {}), {})
    assert.equal(renderer.counts.done, 2)
    assert.equal(manifests[0]?.id.name, 'a')
  } finally {
    await dispose()
  }
})
