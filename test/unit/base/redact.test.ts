import test from 'node:test'
import assert from 'node:assert/strict'
import { redact } from '../../../shared/base/redact.ts'

test('credentials are masked, the rest of the text stays', () => {
  const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb\n-----END OPENSSH PRIVATE KEY-----'
  const table: readonly (readonly [string, string])[] = [
    ['https://joe:s3cret@host/x.git', 'https://***@host/x.git'],
    ["fatal: unable to access 'https://tok@host/x/': no", "fatal: unable to access 'https://***@host/x/': no"],
    ['ssh://git@host/x.git', 'ssh://git@host/x.git'],
    ['git@host:x.git', 'git@host:x.git'],
    ['https://host/a@b', 'https://host/a@b'],
    ['Authorization: Basic am9lOnM=', 'Authorization: Basic ***'],
    ['"authorization":"Bearer abc"', '"authorization":"Bearer ***"'],
    ['GET /x?token=abc&ref=main', 'GET /x?token=***&ref=main'],
    ['ghp_0123456789abcdefABCD done', '*** done'],
    ['glpat-0123456789abcdefABCD', '***'],
    ['eyJhbGciOi.eyJzdWIi.c2ln', '***'],
    [key, '-----BEGIN OPENSSH PRIVATE KEY-----***-----END OPENSSH PRIVATE KEY-----'],
    ['nothing here: 10:30, a@b.c', 'nothing here: 10:30, a@b.c'],
  ]
  for (const [text, expected] of table) assert.equal(redact(text), expected)
})

test('a secret that the caller knows is masked, also as a URL writes it', () => {
  assert.equal(redact('x p@ss y p%40ss z', ['p@ss', undefined, '', 'z']), 'x *** y *** z')
})
