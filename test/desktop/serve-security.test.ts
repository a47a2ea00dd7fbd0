import assert from 'node:assert/strict'
import test from 'node:test'
import { WebSocket } from 'ws'
import { ask, attempt, closed, enter, raw, visit } from '../support/knock.ts'
import { startServed } from '../support/served-window.ts'
import { noBrowser, startBrowser } from '../support/window-browser.ts'

test('the page is given to nobody who did not come in by a link', async (t) => {
  const served = await startServed(t)
  for (const path of ['/', '/index.html', '/window.js', '/here', '/socket', '/enter.js/..'])
    assert.equal((await visit(`${served.origin}${path}`)).status, 401, path)
  assert.equal((await visit(`${served.origin}/?token=wrong`)).status, 403)
  const name = new URL(served.origin).port
  assert.equal((await visit(`${served.origin}/`, { cookie: `plumbline-${name}=guessed` })).status, 401)
})

test('a link lets one browser in, once', async (t) => {
  const served = await startServed(t)
  const link = served.link()
  const first = await visit(link)
  const cookie = String(first.headers['set-cookie'])
  assert.match(cookie, /; HttpOnly; SameSite=Strict/)
  assert.equal((await visit(link)).status, 403, 'the same link again')
  assert.equal((await visit(served.link(), { 'sec-purpose': 'prefetch' })).status, 503, 'a browser that looks ahead')
  assert.equal((await visit(`${served.origin}/`, { cookie: cookie.split(';')[0] ?? '' })).status, 200)
})

test('a name that somebody points at this machine is refused (DNS rebinding)', async (t) => {
  const served = await startServed(t)
  const { cookie, key } = await enter(served)
  const { port } = new URL(served.origin)
  for (const host of [
    `evil.example:${port}`,
    'evil.example',
    `127.0.0.1.evil.example:${port}`,
    'localhost.evil.example',
  ])
    assert.equal((await visit(`${served.origin}/`, { cookie, host })).status, 403, host)
  // A forwarded port is another one than ours.
  for (const host of [`localhost:${port}`, 'localhost:8080', '[::1]:8080'])
    assert.equal((await visit(`${served.origin}/`, { cookie, host })).status, 200, host)
  assert.equal(await attempt(served, { cookie, key, host: 'evil.example', origin: 'http://evil.example' }), 403)
})

test('another site reaches neither page nor socket, whatever cookie its visitor has', async (t) => {
  const served = await startServed(t)
  const { cookie, key } = await enter(served)
  const { port } = new URL(served.origin)
  const foreign = [
    'http://evil.example',
    'null',
    `http://127.0.0.1:${Number(port) + 1}`,
    `https://127.0.0.1:${port}`,
    `http://localhost:${port}`,
  ]
  for (const origin of foreign) {
    assert.equal((await visit(`${served.origin}/window.js`, { cookie, origin })).status, 403, origin)
    assert.equal(await attempt(served, { cookie, key, origin }), 403, origin)
  }
  assert.equal(await attempt(served, { cookie, key, origin: '' }), 403, 'no origin at all')
  const embed = { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
  assert.equal((await visit(`${served.origin}/window.js`, embed)).status, 403)
  const follow = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  assert.equal((await visit(served.link(), follow)).status, 200, 'a link may be followed from a mail')
})

test('the socket needs cookie and key: cookies are sent to other ports of this machine too', async (t) => {
  const served = await startServed(t)
  const { cookie, key } = await enter(served)
  assert.equal(await attempt(served, { cookie, key }), 'open')
  assert.equal(await attempt(served, { cookie }), 401)
  assert.equal(await attempt(served, { key }), 401)
  const other = await enter(served)
  assert.equal(await attempt(served, { cookie, key: other.key }), 401, 'the key of another browser')
  assert.equal(await attempt(served, { cookie, key, path: '/socket/../socket?x' }), 404)
})

test('no path leads out of the page', async (t) => {
  const served = await startServed(t)
  const { cookie } = await enter(served)
  const { port } = new URL(served.origin)
  const tricks = [
    '/../package.json',
    '/..%2fpackage.json',
    '/..%2f..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '//etc/passwd',
    '/etc/passwd',
    '/window.js/../../../etc/passwd',
    '/..\\..\\windows\\win.ini',
    '/index.html%00.js',
    '/.git/config',
    'http://127.0.0.1/etc/passwd',
    '/__proto__',
    '/constructor',
  ]
  for (const path of tricks) {
    // Sent raw: every client would tidy it up.
    const answer = await raw(
      Number(port),
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    )
    assert.match(answer, /^HTTP\/1\.1 404 /, path)
    assert.doesNotMatch(answer, /root:|"dependencies"/, path)
  }
})

test('only reading is answered, and every answer forbids what the page does not need', async (t) => {
  const served = await startServed(t)
  const { cookie } = await enter(served)
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])
    assert.equal((await visit(`${served.origin}/`, { cookie }, method)).status, 405, method)
  for (const path of ['/', '/window.js', '/nothing']) {
    const { headers } = await visit(`${served.origin}${path}`, { cookie })
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/, path)
    assert.doesNotMatch(String(headers['content-security-policy']), /unsafe-|\*/, path)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['x-frame-options'], 'DENY')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['access-control-allow-origin'], undefined)
  }
})

test('messages that are too long, no text, or nonsense end or are dropped, and the server lives', async (t) => {
  const served = await startServed(t)
  const { cookie, key } = await enter(served)
  const open = async (): Promise<WebSocket> => {
    const socket = new WebSocket(`${served.origin.replace('http', 'ws')}/socket`, ['plumbline', `key.${key}`], {
      origin: served.origin,
      headers: { cookie },
    })
    await new Promise((resolve) => socket.once('open', resolve))
    return socket
  }
  const large = await open()
  large.send('x'.repeat(2 * 1024 * 1024))
  assert.equal(await closed(large), 1009)
  const binary = await open()
  binary.send(Buffer.from([1, 2, 3]))
  assert.equal(await closed(binary), 1003)

  const socket = await open()
  const nonsense = [
    '',
    '{',
    '[]',
    'null',
    '{"kind":"request"}',
    '{"kind":"request","id":"1","method":"hello"}',
    '{"kind":"request","id":1e400,"method":"hello","params":null}',
    '{"kind":"event","event":{"kind":"toast"}}',
    '['.repeat(100_000),
  ]
  for (const text of nonsense) socket.send(text)
  const failures = await ask(socket, [
    ['__proto__', null, 'unsupported'],
    ['constructor', null, 'unsupported'],
    ['toString', null, 'unsupported'],
    ['application/sync', null, 'params'],
    ['application/sync', { application: 'a', prune: 'yes' }, 'params'],
    ['application/sync', { application: 'a', prune: true, extra: 1 }, 'params'],
    ['application/sync', { application: 'a'.repeat(300), prune: true }, 'params'],
    ['application/watch', { application: 'a\u0000b' }, 'params'],
    ['workspace/open', { folder: '/tmp/\n' }, 'params'],
    ['workspace/open', { folder: '../..' }, 'refused'],
    ['clusters/act', { name: 'a', provider: 'sh', action: 'start' }, 'params'],
    ['clusters/create', { provider: 'embedded', fields: { name: { deep: {} } } }, 'params'],
    ['settings/set', { key: '__proto__', value: 'x' }, 'params'],
    ['settings/set', { key: 'tray', value: 'x' }, 'params'],
    ['keys/add', { text: 'not a key', name: 'x' }, 'no-key'],
  ])
  for (const [method, expected, reason] of failures) assert.equal(reason, expected, method)
  assert.equal((await ask(socket, [['hello', null, 'result']]))[0]?.[2], 'result')
  socket.terminate()
})

test("a real browser on another site cannot use the visitor's admission", { skip: noBrowser }, async (t) => {
  const served = await startServed(t)
  const context = await startBrowser(t)
  const page = context.pages()[0] ?? (await context.newPage())
  await page.goto(served.link())
  await page.waitForURL(`${served.origin}/`)
  // Another server on this machine: the browser sends it our cookie, and calls it same-site.
  await page.route('http://127.0.0.1:1/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>other</title>' }),
  )
  await page.goto('http://127.0.0.1:1/')
  const found = await page.evaluate(`(async (origin) => {
    const socket = new WebSocket(origin.replace('http', 'ws') + '/socket', ['plumbline'])
    const ended = await new Promise((resolve) => {
      socket.addEventListener('open', () => resolve('open'))
      socket.addEventListener('close', () => resolve('refused'))
    })
    const read = await fetch(origin + '/window.js', { credentials: 'include' }).then(() => 'read', () => 'refused')
    const frame = document.createElement('iframe')
    frame.src = origin
    document.body.append(frame)
    await new Promise((resolve) => frame.addEventListener('load', resolve))
    return { ended, read, framed: frame.contentDocument === null ? 'refused' : 'seen' }
  })(${JSON.stringify(served.origin)})`)
  assert.deepEqual(found, { ended: 'refused', read: 'refused', framed: 'refused' })
})
