import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cachePath, catalogue, locateTool } from '../support/tools/locate.mjs'

const builder = fileURLToPath(new URL('../support/tools/build.mjs', import.meta.url))
const SYSTEM_PATH = '/usr/bin:/bin'

function scratch(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-tools-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function script(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

test('a part is taken from KUBEBUILDER_ASSETS, then the cache, then PATH', (t) => {
  const folder = scratch(t)
  const env = {
    KUBEBUILDER_ASSETS: join(folder, 'assets'),
    PLUMBLINE_TOOLS: join(folder, 'cache'),
    PATH: join(folder, 'bin'),
  }
  const check = (from: string): void => {
    const answer = locateTool('etcd', env)
    assert.equal(answer.kind === 'found' ? answer.from : answer.reason, from)
  }
  check('no etcd v3.6.8 on this machine')
  script(join(folder, 'bin', 'etcd'), 'echo etcd Version: 3.5.4')
  check('PATH')
  script(cachePath('etcd', env), 'exit 1')
  check('cache')
  script(join(folder, 'assets', 'etcd'), 'echo etcd Version: 3.6.1')
  check('KUBEBUILDER_ASSETS')
})

test('a part of another version is refused by name', (t) => {
  const folder = scratch(t)
  const path = script(join(folder, 'kubectl'), 'echo Client Version: v1.32.4-dispatcher')
  const answer = locateTool('kubectl', { PLUMBLINE_TOOLS: join(folder, 'none'), PATH: folder })
  const reason = `no kubectl ${catalogue['kubectl']?.version} on this machine (${path} is 1.32.4)`
  assert.deepEqual(answer, { kind: 'missing', reason })
})

test('two builders at once build a part once', async (t) => {
  const folder = scratch(t)
  const calls = join(folder, 'calls')
  // A compiler that takes its time and leaves the file that was asked for.
  script(
    join(folder, 'bin', 'go'),
    `echo x >> '${calls}'; sleep 1
     while [ "$1" != -o ]; do shift; done
     mkdir -p "$(dirname "$2")"; printf '#!/bin/sh\\n' > "$2"; chmod +x "$2"`,
  )
  const both = await Promise.all([build(folder, 'kind'), build(folder, 'kind')])
  const lines = both.map((run) => run.output.replace(/\d+\.\d s/, 'N s').trim())
  const path = join(folder, 'cache', `kind-${catalogue['kind']?.version}`, 'kind')
  assert.deepEqual(lines.sort(), [
    `kind ${catalogue['kind']?.version}: built in N s ${path}`,
    `kind ${catalogue['kind']?.version}: found ${catalogue['kind']?.version} (cache) ${path}`,
  ])
  assert.equal(readFileSync(calls, 'utf8'), 'x\n')
})

test('the lock of a dead builder is taken over', async (t) => {
  const folder = scratch(t)
  const lock = join(folder, 'cache', '.lock-helm')
  mkdirSync(lock, { recursive: true })
  const dead = spawn('true')
  await new Promise((resolve) => dead.once('close', resolve))
  writeFileSync(join(lock, 'pid'), String(dead.pid))
  script(join(folder, 'bin', 'go'), 'echo "go: no such module" >&2; exit 1')
  const run = await build(folder, 'helm')
  assert.equal(run.output, `helm ${catalogue['helm']?.version}: failed: go: no such module\n`)
  assert.equal(run.code, 1)
})

async function build(folder: string, name: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const env = { PATH: `${join(folder, 'bin')}:${SYSTEM_PATH}`, PLUMBLINE_TOOLS: join(folder, 'cache'), HOME: folder }
  const child = spawn(process.execPath, [builder, '--only', name], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, output }
}
