/** Regenerates test/fixtures/signature/matrix-recorded.json.gz: `node test/support/signature-record.ts`, with git, gpg and ssh-keygen on PATH. */
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { KeySource } from '../../shared/signature/keyring.ts'
import { type Recorded, makeMatrix } from './signature-matrix.ts'
import { Workshop } from './signature-workshop.ts'

const fixture = new URL('../fixtures/signature/matrix-recorded.json.gz', import.meta.url)

type StoredSource = { readonly kind: KeySource['kind']; readonly bytes: string }
type StoredCase = Omit<Recorded, 'bytes' | 'sources'> & { readonly bytes: string; readonly sources: readonly number[] }
type Stored = {
  readonly recordedAt: number
  readonly sources: readonly StoredSource[]
  readonly cases: readonly StoredCase[]
}

/** The matrix as it was last recorded, and the moment that keys are to be judged at. */
export function readMatrix(): { readonly recordedAt: number; readonly cases: readonly Recorded[] } {
  const stored = JSON.parse(gunzipSync(readFileSync(fixture)).toString('utf8')) as Stored
  const sources = stored.sources.map(({ kind, bytes }): KeySource => ({
    kind,
    name: kind,
    bytes: Buffer.from(bytes, 'base64'),
  }))
  const cases = stored.cases.map((item): Recorded => ({
    ...item,
    bytes: Buffer.from(item.bytes, 'base64'),
    sources: item.sources.flatMap((index) => sources[index] ?? []),
  }))
  return { recordedAt: stored.recordedAt, cases }
}

function writeMatrix(recordedAt: number, matrix: readonly Recorded[]): void {
  const sources: StoredSource[] = []
  const indexOf = ({ kind, bytes }: KeySource): number => {
    const base64 = Buffer.from(bytes).toString('base64')
    const known = sources.findIndex((source) => source.kind === kind && source.bytes === base64)
    return known === -1 ? sources.push({ kind, bytes: base64 }) - 1 : known
  }
  const cases = matrix.map((item): StoredCase => ({
    ...item,
    git: { ...item.git, raw: '' },
    bytes: Buffer.from(item.bytes).toString('base64'),
    sources: item.sources.map(indexOf),
  }))
  const stored: Stored = { recordedAt, sources, cases }
  writeFileSync(fixture, gzipSync(JSON.stringify(stored), { level: 9 }))
}

if (import.meta.main) {
  const workshop = new Workshop()
  try {
    const matrix = makeMatrix(workshop)
    writeMatrix(Date.now(), matrix)
    console.log(`${matrix.length} cases recorded`)
  } finally {
    workshop.dispose()
  }
}
