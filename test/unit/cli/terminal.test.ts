import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import type { Io } from '../../../cli/io.ts'
import { buildProgram } from '../../../cli/program.ts'
import { applicationFile, configMap, workspace, type Workspace } from '../../support/line-workspace.ts'
import { gitIsMissing } from '../../support/scaffold-repository.ts'

const ESCAPE = '\u001B'
const LONG = 'an-application-with-a-rather-long-name-that-no-narrow-terminal-holds'

/** Runs a command in this process, on streams that say they are a terminal of that width. */
async function onTerminal(
  { scaffold, server }: Workspace,
  argv: readonly string[],
  { columns, env = {} }: { readonly columns: number; readonly env?: Readonly<Record<string, string>> },
): Promise<string> {
  let out = ''
  const stream = { isTTY: true, columns, write: (text: string) => void (out += text) }
  const io: Io = {
    stdout: stream,
    stderr: { write: () => undefined },
    stdin: Readable.from([]),
    env,
    cwd: scaffold.folder,
    signal: new AbortController().signal,
  }
  const words = ['node', 'plumbline', ...argv, '--kubeconfig', server.kubeconfig]
  await buildProgram(io, () => undefined).parseAsync(words)
  return out
}

async function line(t: TestContext): Promise<Workspace | undefined> {
  const skip = await gitIsMissing()
  if (skip === undefined) {
    const files = {
      'apps/a.yaml': applicationFile({ name: LONG, namespace: 'shop' }),
      [`${LONG}/a.yaml`]: configMap('a'),
    }
    return workspace(t, files)
  }
  t.skip(skip)
  return undefined
}

test('on a terminal a table fits its width, in colour', async (t) => {
  const workspaceOf = await line(t)
  if (workspaceOf === undefined) return
  for (const columns of [60, 80, 120]) {
    for (const argv of [
      ['app', 'list'],
      ['app', 'resources', LONG],
    ]) {
      const out = await onTerminal(workspaceOf, argv, { columns })
      assert.ok(out.includes(ESCAPE), 'colour on a terminal')
      const widths = plain(out)
        .split('\n')
        .map((text) => text.length)
      assert.ok(Math.max(...widths) <= columns, `${argv.join(' ')} in ${columns} columns:\n${plain(out)}`)
    }
  }
})

test('NO_COLOR takes the colour away and nothing else', async (t) => {
  const workspaceOf = await line(t)
  if (workspaceOf === undefined) return
  const bare = await onTerminal(workspaceOf, ['app', 'list'], { columns: 80, env: { NO_COLOR: '1' } })
  assert.equal(bare.includes(ESCAPE), false)
  assert.equal(bare, plain(await onTerminal(workspaceOf, ['app', 'list'], { columns: 80 })))
})

/** Without the sequences that paint. */
function plain(text: string): string {
  return text.replaceAll(new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g'), '')
}
