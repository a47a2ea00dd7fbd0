import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ourVerdict } from '../../support/signature-matrix.ts'
import { readMatrix } from '../../support/signature-record.ts'

const BEGIN = '-----BEGIN SIGNED MESSAGE-----'
const END = '-----END SIGNED MESSAGE-----'

test('a certificate with a wrong length inside is not read, as gpgsm does not read it', async () => {
  const { recordedAt, cases } = readMatrix()
  const item = cases.find(({ name }) => name === 'x509 commit by an RSA certificate')
  assert.ok(item)
  assert.equal((await ourVerdict(item, recordedAt)).verdict, 'verified')
  // The subject key identifier's extension: SEQUENCE of 29 bytes, told as one of 13.
  const bytes = withSignature(Buffer.from(item.bytes), (der) => der.replace('301d0603551d0e', '300d0603551d0e'))
  assert.deepEqual(
    { verdict: 'invalid', reason: 'malformed-signature' },
    pick(await ourVerdict({ ...item, bytes }, recordedAt)),
  )
})

function pick({ verdict, reason }: Awaited<ReturnType<typeof ourVerdict>>): object {
  return { verdict, reason }
}

/** A commit whose signature's hexadecimal DER was edited. */
function withSignature(commit: Buffer, edit: (hex: string) => string): Buffer {
  const text = commit.toString('latin1')
  const [head = '', rest = ''] = text.split(BEGIN)
  const [armor = '', tail = ''] = rest.split(END)
  const hex = Buffer.from(armor, 'base64').toString('hex')
  const edited = Buffer.from(edit(hex), 'hex').toString('base64')
  assert.notEqual(edit(hex), hex)
  const lines = edited.match(/.{1,64}/g) ?? []
  return Buffer.from(`${head}${BEGIN}\n${lines.map((line) => ` ${line}\n`).join('')} ${END}${tail}`, 'latin1')
}
