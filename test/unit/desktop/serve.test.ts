import assert from 'node:assert/strict'
import test from 'node:test'
import { Entrance } from '../../../desktop/serve/entrance.ts'
import { refusalOf, socketRefusalOf, type RequestHeads } from '../../../desktop/serve/loopback.ts'

const OURS = { host: 'localhost:8440', origin: undefined, fetchSite: undefined, fetchMode: undefined }

function check(heads: Partial<RequestHeads>, page: 'let in' | 'refused', socket: 'let in' | 'refused'): void {
  const whole = { ...OURS, ...heads }
  assert.equal(word(refusalOf(whole)), page, JSON.stringify(heads))
  assert.equal(word(socketRefusalOf(whole)), socket, JSON.stringify(heads))
}

function word(refusal: string | undefined): string {
  return refusal === undefined ? 'let in' : 'refused'
}

test('only this machine and this page are let in', () => {
  check({}, 'let in', 'refused')
  check({ origin: 'http://localhost:8440', fetchSite: 'same-origin', fetchMode: 'websocket' }, 'let in', 'let in')
  check({ fetchSite: 'none', fetchMode: 'navigate' }, 'let in', 'refused')
  check({ fetchSite: 'cross-site', fetchMode: 'navigate' }, 'let in', 'refused')
  check({ fetchSite: 'same-site', fetchMode: 'no-cors' }, 'refused', 'refused')
  check({ origin: 'http://localhost:9000', fetchSite: 'same-site' }, 'refused', 'refused')
  check({ origin: 'https://localhost:8440' }, 'refused', 'refused')
  check({ origin: 'null' }, 'refused', 'refused')
  for (const host of ['127.0.0.1', '127.0.0.1:1', 'LOCALHOST:80', '[::1]:65535'])
    check({ host, origin: `http://${host}` }, 'let in', 'let in')
  for (const host of ['', 'evil.example', '127.0.0.1.evil.example', 'localhost.', '[::2]:80', '0.0.0.0:80', '10.0.0.1'])
    check({ host, origin: `http://${host}` }, 'refused', 'refused')
})

test('a link is good for one browser, and a cookie for the key that came with it', () => {
  const entrance = new Entrance(8440)
  const token = entrance.issue()
  const first = entrance.redeem(token)
  assert.ok(first !== undefined)
  assert.equal(entrance.redeem(token), undefined)
  assert.equal(entrance.redeem(''), undefined)
  const second = entrance.redeem(entrance.issue())
  assert.ok(second !== undefined)
  const cookie = first.cookie.split(';')[0] ?? ''
  assert.equal(entrance.admits(`other=1; ${cookie}; more=2`), true)
  assert.equal(entrance.admits(undefined), false)
  assert.equal(entrance.admits('plumbline-8440='), false)
  assert.equal(entrance.admits(cookie.replace('8440', '8441')), false, "another server's cookie")
  assert.equal(entrance.admitsSocket(cookie, first.key), true)
  assert.equal(entrance.admitsSocket(cookie, second.key), false)
  assert.equal(entrance.admitsSocket(cookie, undefined), false)
})

test('links that nobody uses are forgotten, the oldest first', () => {
  const entrance = new Entrance(1)
  const old = entrance.issue()
  for (let count = 0; count < 8; count += 1) entrance.issue()
  assert.equal(entrance.redeem(old), undefined)
})
