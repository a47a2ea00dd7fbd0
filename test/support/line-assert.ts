import assert from 'node:assert/strict'
import type { CliResult } from './line-cli.ts'

/** What a refused command has to tell a person. */
export type Refusal = {
  /** The one line that says what is wrong: a part of it, or its shape. */
  readonly says: string | RegExp
  /** The line after it, where there is something to do; undefined where the message says it all. */
  readonly next?: string | RegExp
  /** 2 for an error; 130 for an interrupt. */
  readonly code?: number
}

/** Ended with an error status, nothing on stdout, and on stderr one clear line, what to do next, and no stack. */
export function assertRefused(result: CliResult, { says, next, code = 2 }: Refusal): void {
  assert.equal(result.code, code, result.stderr)
  assert.equal(result.stdout, '')
  const lines = result.stderr.trimEnd().split('\n')
  assert.deepEqual(
    lines.filter((line) => /^\s+at |node:internal|^\w*Error:/.test(line)),
    [],
    'a stack is for those who ask for it',
  )
  const found = lines.findIndex((line) => matches(line, says))
  assert.ok(found >= 0, `nothing like ${String(says)} in:\n${result.stderr}`)
  assert.ok(lines.length <= 4, `more to read than it takes:\n${result.stderr}`)
  if (next !== undefined)
    assert.ok(matches(lines[found + 1] ?? '', next), `no ${String(next)} after:\n${result.stderr}`)
}

function matches(line: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? line.includes(wanted) : wanted.test(line)
}
