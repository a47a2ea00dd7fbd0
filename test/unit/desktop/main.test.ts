import assert from 'node:assert/strict'
import test from 'node:test'
import type { ApplicationSummary } from '../../../shared/model/front.ts'
import { unknownSummary } from '../../../shared/view/application-summary.ts'
import { deepLinkIn, readDeepLink } from '../../../desktop/main/deep-link.ts'
import { DriftNews } from '../../../desktop/main/drift-news.ts'
import { isPageAddress } from '../../../desktop/main/page-address.ts'
import { readProgramWords } from '../../../desktop/main/program-words.ts'
import { checkForUpdate } from '../../../desktop/main/update-check.ts'
import { placeOf, windowStateOf } from '../../../desktop/main/window-state.ts'

function check(text: string, expected: unknown): void {
  assert.deepEqual(readDeepLink(text), expected, text)
}

test('a link shows a page or asks about a folder, and everything else means nothing', () => {
  check('plumbline://clusters', { kind: 'show', route: '#/clusters' })
  check('plumbline://applications/shop', { kind: 'show', route: '#/applications/shop/graph' })
  check('plumbline://applications/shop/diff', { kind: 'show', route: '#/applications/shop/diff' })
  check('plumbline://open?folder=/code/infra', { kind: 'open', folder: '/code/infra' })
  for (const text of [
    'https://clusters',
    'plumbline://applications/../settings/x',
    'plumbline://applications/Shop<script>',
    'plumbline://applications/shop/diff/more',
    'plumbline://applications/shop/sync',
    'plumbline://nothing',
    'plumbline://open?folder=relative',
    'plumbline://open?folder=/a%0Ab',
    `plumbline://applications/${'a'.repeat(3000)}`,
    'plumbline:',
    '',
  ])
    check(text, undefined)
  assert.deepEqual(deepLinkIn(['--flag', 'plumbline://keys']), { kind: 'show', route: '#/keys' })
})

test('the words of a start name a folder, or a part to run', () => {
  assert.deepEqual(readProgramWords([]), { kind: 'window', folder: undefined })
  assert.deepEqual(readProgramWords(['--ozone-platform=x11', '/code']), { kind: 'window', folder: '/code' })
  assert.deepEqual(readProgramWords(['plumbline://keys']), { kind: 'window', folder: undefined })
  assert.deepEqual(readProgramWords(['--plumbline-run', 'a.js', 'b']), { kind: 'run', file: 'a.js', words: ['b'] })
})

test('only the window has an address of the page', () => {
  for (const good of ['plumbline-page://window/', 'plumbline-page://window/index.html#/x'])
    assert.ok(isPageAddress(good))
  for (const bad of [
    'plumbline-page://windows/',
    'plumbline-page://window.evil/',
    'http://window/',
    'file:///window',
    'x',
    '',
  ])
    assert.equal(isPageAddress(bad), false, bad)
})

test('the window opens where it was left, unless that display is gone', () => {
  const display = { x: 0, y: 0, width: 1920, height: 1080 }
  const left = { x: 100, y: 50, width: 1000, height: 700, maximized: false }
  assert.deepEqual(placeOf(left, [display]), { x: 100, y: 50, width: 1000, height: 700 })
  assert.deepEqual(placeOf({ ...left, x: 3000 }, [display]), { width: 1000, height: 700 })
  assert.deepEqual(placeOf({ ...left, x: 3000 }, [display, { ...display, x: 1920 }]), {
    x: 3000,
    y: 50,
    width: 1000,
    height: 700,
  })
  assert.deepEqual(placeOf({ ...left, width: 10, height: 10 }, [display]), { x: 100, y: 50, width: 640, height: 420 })
  assert.deepEqual(placeOf(undefined, []), { width: 1280, height: 820 })
  assert.equal(windowStateOf({ ...left, x: 'left' }), undefined)
  assert.equal(windowStateOf(null), undefined)
})

test('a drift is told when a synced application drifts, not when Git moves', () => {
  const news = new DriftNews()
  const shop = summary({ sync: 'Synced', health: { status: 'Healthy' } })
  assert.deepEqual(news.take([shop]), [], 'the first look is no news')
  const drifted = { ...shop, sync: 'OutOfSync', counts: { drifted: 2, missing: 1, extra: 0, unknown: 0 } } as const
  assert.deepEqual(news.take([drifted]), [
    { title: 'shop drifted', body: '2 drifted, 1 missing on kind-dev', route: '#/applications/shop/diff' },
  ])
  assert.equal(news.drifted, 1)
  assert.deepEqual(news.take([drifted]), [], 'once')
  news.take([shop])
  const moved = { ...drifted, revision: { name: 'main', sha: 'b', subject: '', author: '' } }
  assert.deepEqual(news.take([moved]), [])
  assert.equal(news.take([{ ...moved, health: { status: 'Degraded' } }])[0]?.title, 'shop is Degraded')
  assert.deepEqual(
    news.take([{ ...shop, context: 'other', health: { status: 'Degraded' } }]),
    [],
    'another context is another application',
  )
})

test('an update is looked for over https alone, and only a version counts', async () => {
  const signal = AbortSignal.timeout(5000)
  for (const address of ['http://example.com/v.json', 'file:///etc/passwd', 'nonsense', ''])
    assert.equal((await checkForUpdate(address, '0.1.0', { signal })).kind, 'failed', address)
})

function summary(more: Partial<ApplicationSummary>): ApplicationSummary {
  const revision = { name: 'main', sha: 'a', subject: '', author: '' }
  return { ...unknownSummary({ name: 'shop', project: 'default', context: 'kind-dev' }), revision, ...more }
}
