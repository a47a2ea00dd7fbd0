import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startServer } from '../../shared/simulator/server.ts'

const run = promisify(execFile)
const folder = join(import.meta.dirname, '../../../shared/apiserver-vectors')
const missing = existsSync(join(folder, 'replay.mjs')) ? false : 'no ../shared/apiserver-vectors'

interface Result {
  readonly passed: number
  readonly failed: number
  readonly failures: readonly { readonly scenario: string; readonly step: string; readonly diff: readonly string[] }[]
}

/** Replays recorded conversations over TLS with the judge's own tool, message texts included. */
async function replay(url: string, token: string, files: readonly string[]): Promise<Result> {
  const args = [
    join(folder, 'replay.mjs'),
    '--server',
    url,
    '--token',
    token,
    '--insecure',
    '--strict',
    '--json',
    ...files,
  ]
  // The tool exits with 1 where something differs; its report is on stdout all the same.
  const { stdout } = await run(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  )
  return JSON.parse(stdout) as Result
}

for (const [kind, controllers] of [
  ['vectors', false],
  ['controllers', true],
] as const) {
  test(
    `the embedded server answers the recorded ${kind} as kube-apiserver v1.36.2 did`,
    { skip: missing },
    async (t) => {
      const server = await startServer({ controllers })
      t.after(() => server.close())
      const failures: string[] = []
      for (const name of readdirSync(join(folder, kind)).sort()) {
        const result = await replay(server.url, server.token, [join(folder, kind, name)])
        t.diagnostic(`${name}: ${result.passed} passed, ${result.failed} failed`)
        failures.push(
          ...result.failures.map(({ step, diff }) => `${name} / ${step}\n  ${diff.slice(0, 3).join('\n  ')}`),
        )
      }
      assert.deepEqual(failures, [])
    },
  )
}
