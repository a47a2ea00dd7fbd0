import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'

const tests = path.resolve(import.meta.dirname, '../..')

type Claim = { readonly line: number; readonly file: string; readonly names: readonly string[] }

/** The last column of each row: `` `file`: part of a test's name; another; `file`: ... ``. */
function claims(): readonly Claim[] {
  const lines = readFileSync(path.join(tests, 'README.md'), 'utf8').split('\n')
  const from = lines.findIndex((line) => line.startsWith('## What Argo CD does'))
  return lines.flatMap((text, index) => {
    if (index < from || !text.startsWith('| ') || text.startsWith('|---')) return []
    const cell = text.slice(0, -2).split(' | ').at(-1) ?? ''
    return cell.startsWith('`') ? claimsIn(cell, index + 1) : []
  })
}

function claimsIn(cell: string, line: number): readonly Claim[] {
  const found: { line: number; file: string; names: string[] }[] = []
  for (const part of cell.split('; ')) {
    const named = /^`([^`]+)`(?:: (.*))?$/.exec(part)
    if (named !== null) found.push({ line, file: named[1] ?? '', names: named[2] === undefined ? [] : [named[2]] })
    else found.at(-1)?.names.push(part)
  }
  return found
}

test('every row of the table names tests that there are', () => {
  const wrong = claims().flatMap(({ line, file, names }) => {
    const place = path.join(tests, `${file}.test.ts`)
    if (!existsSync(place)) return [`README.md:${line}: there is no ${file}.test.ts`]
    const text = readFileSync(place, 'utf8').toLowerCase()
    return names
      .filter((name) => !text.includes(name.toLowerCase()))
      .map((name) => `README.md:${line}: ${file} has no test "${name}"`)
  })
  assert.deepEqual(wrong, [])
})

test('the table has a row for each of the rules of a sync', () => {
  const rows = new Set(claims().map(({ line }) => line))
  assert.ok(rows.size > 70, `${rows.size} rows`)
})
