import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { startElectronApp } from '../support/electron-app.ts'
import { eventually } from '../support/eventually.ts'
import { noBrowser } from '../support/window-browser.ts'

// On the double: these hold what our main, preload and contract refuse; Electron's own sandbox is judged by Electron's tests.

test('the page goes nowhere, opens nothing and loads nothing of others', { skip: noBrowser }, async (t) => {
  const app = await startElectronApp(t)
  const { page } = app
  const here = (): string => page.url().split('#')[0] ?? ''
  const before = here()
  const ways = [
    `location.href = 'https://evil.example/'`,
    `location.replace('http://127.0.0.1:1/')`,
    `location.href = 'file:///etc/passwd'`,
    `document.body.append(Object.assign(document.createElement('a'), { href: 'https://evil.example/', id: 'away' })); document.getElementById('away').click()`,
    `document.body.append(Object.assign(document.createElement('iframe'), { src: 'https://evil.example/' }))`,
  ]
  for (const way of ways) {
    await page.evaluate(`void (() => { ${way} })()`).catch(() => undefined)
    await page.waitForTimeout(200)
    assert.equal(here(), before, way)
  }
  for (const target of ['https://evil.example/', 'file:///etc/passwd', 'about:blank']) {
    await page.evaluate(`void window.open(${JSON.stringify(target)})`).catch(() => undefined)
  }
  await eventually('denied windows', async () => (await app.shown()).deniedWindows >= 2)
  assert.equal((await app.shown()).windows, 1)
  assert.equal(await page.evaluate(`fetch('https://evil.example/').then(() => 'read', () => 'refused')`), 'refused')
  const script = `new Promise((done) => { const one = document.createElement('script'); one.onload = () => done('ran'); one.onerror = () => done('refused'); one.setAttribute('src', 'https://evil.example/x.js'); document.head.append(one) }).catch(() => 'refused')`
  assert.equal(
    await page.evaluate(`(async () => { try { return await ${script} } catch { return 'refused' } })()`),
    'refused',
  )
  await page.evaluate(`void setTimeout('globalThis.ran = true')`).catch(() => undefined)
  await page.waitForTimeout(200)
  assert.equal(await page.evaluate('globalThis.ran'), undefined, 'text is not run')
})

test('the page has the two functions of its port, and nothing of Node or Electron', { skip: noBrowser }, async (t) => {
  const { page } = await startElectronApp(t)
  const seen = await page.evaluate(`({
    port: Object.keys(plumbline).sort(),
    node: [typeof require, typeof process, typeof module, typeof Buffer, typeof __dirname],
    frozen: Object.isFrozen(plumbline),
  })`)
  assert.deepEqual(seen, {
    port: ['onMessage', 'send'],
    node: Array.from({ length: 5 }, () => 'undefined'),
    frozen: true,
  })
})

test('messages of other senders, other channels and other shapes are not heard', { skip: noBrowser }, async (t) => {
  const app = await startElectronApp(t)
  const { page } = app
  await page.evaluate(`globalThis.heard = []; plumbline.onMessage((text) => heard.push(text))`)
  const forge = async (url: string, channel: string, ...args: unknown[]): Promise<unknown> =>
    app.order({ kind: 'forge', url, channel, args })
  const ours = 'plumbline-page://window/index.html'
  for (const url of [
    'https://evil.example/',
    'file:///index.html',
    'plumbline-page://evil/index.html',
    'plumbline-page://window.evil/',
    'about:blank',
    '',
  ])
    await forge(url, 'plumbline:text', hello(91))
  // A frame inside our page is not its main frame, whatever its address.
  await forge(ours, 'plumbline:text', hello(92))
  await forge(ours, 'plumbline:dropped', app.home)
  const port = async (text: unknown): Promise<unknown> => page.evaluate(`plumbline.send(${JSON.stringify(text)})`)
  for (const text of [{ deep: true }, 7, null, 'x'.repeat(1_100_000), '{"kind":"request","id":93']) await port(text)
  await port(hello(94))
  await eventually('the one answer', async () => String(await page.evaluate('heard.join()')).includes('"id":94'))
  const heard = String(await page.evaluate('heard.join()'))
  for (const id of [91, 92, 93]) assert.doesNotMatch(heard, new RegExp(`"id":${id}`))
})

test(
  'a credential is sealed by the keychain, and refused where there is none until the person consents',
  { skip: noBrowser },
  async (t) => {
    const sealed = await startElectronApp(t)
    assert.equal(await add(sealed.page), 'kept')
    const file = path.join(sealed.home, 'plumbline/window/credentials.json')
    assert.doesNotMatch(await readFile(file, 'utf8'), /correct-horse|ada/)

    const weak = await startElectronApp(t, { env: { ELECTRON_DOUBLE_KEYCHAIN: 'basic_text' } })
    assert.match(String(await add(weak.page)), /no keychain/)
    await ask(weak.page, 'settings/set', { key: 'weakCredentials', value: true })
    assert.equal(await add(weak.page), 'kept')
  },
)

async function add(page: Parameters<typeof ask>[0]): Promise<unknown> {
  const params = { url: 'https://git.example/team/a.git', username: 'ada', secret: 'correct-horse', sshKey: '' }
  const answer = (await ask(page, 'repositories/add', params)) as { readonly failure?: { readonly message: string } }
  return answer.failure?.message ?? 'kept'
}

/** Asks the host as the page does. @returns its message */
async function ask(
  page: { evaluate(expression: string): Promise<unknown> },
  method: string,
  params: unknown,
): Promise<unknown> {
  return page.evaluate(`new Promise((resolve) => {
    const id = Math.floor(Math.random() * 1e9)
    plumbline.onMessage((text) => { const message = JSON.parse(text); if (message.id === id) resolve(message) })
    plumbline.send(JSON.stringify({ kind: 'request', id, method: ${JSON.stringify(method)}, params: ${JSON.stringify(params)} }))
  })`)
}

function hello(id: number): string {
  return JSON.stringify({ kind: 'request', id, method: 'hello', params: null })
}
