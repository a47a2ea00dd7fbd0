import test from 'node:test'
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { run, start, successText } from '../../../shared/base/process.ts'
import type { Completion } from '../../../shared/base/process.ts'

const node = process.execPath
const script = (code: string): readonly string[] => ['-e', code]

function exited(completion: Completion): Extract<Completion, { kind: 'exited' }> {
  assert.equal(completion.kind, 'exited')
  return completion
}

/** A dead process that nobody has reaped yet still answers `kill -0`; the kernel's own state tells. */
function ended(pid: number): boolean {
  try {
    return process.platform === 'linux' ? / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) : !process.kill(pid, 0)
  } catch {
    return true
  }
}

test('stdout comes as bytes, stderr as text, with the exit code', async () => {
  const code = 'process.stdout.write(Buffer.from([0,255,10])); process.stderr.write("héé"); process.exitCode = 3'
  const done = exited(await run(node, script(code)))
  assert.deepEqual([...done.stdout], [0, 255, 10])
  assert.equal(done.stderr, 'héé')
  assert.equal(done.code, 3)
  assert.equal(successText(done), undefined)
  assert.notEqual(successText(done, [3]), undefined)
})

test('arguments are never read by a shell', async () => {
  const done = exited(await run(node, [...script('process.stdout.write(process.argv[1])'), '$(id);`id` "x"\n&&']))
  assert.equal(done.stdout.toString(), '$(id);`id` "x"\n&&')
})

test('input reaches stdin, and a child that reads none of it is no error', async () => {
  const echo = exited(await run(node, script('process.stdin.pipe(process.stdout)'), { input: 'abc' }))
  assert.equal(echo.stdout.toString(), 'abc')
  assert.equal(exited(await run(node, script('process.exit(0)'), { input: 'x'.repeat(5_000_000) })).code, 0)
})

test('a missing binary is not found; a missing folder is a failure that names it', async () => {
  assert.deepEqual(await run('no-such-binary-here', []), { kind: 'not-found', binary: 'no-such-binary-here' })
  const failed = await run(node, [], { cwd: '/no/such/folder' })
  assert.equal(failed.kind, 'failed')
  assert.match(failed.kind === 'failed' ? failed.error.message : '', /\/no\/such\/folder/)
})

test('an argument that no process can take is a failure, not a throw', async () => {
  assert.equal((await run(node, ['a\0b'])).kind, 'failed')
})

test('an aborted signal ends the whole group, grandchildren too, and leaves no listener', async (t) => {
  if (process.platform === 'win32') return t.skip('skipped: process groups are a POSIX notion')
  const controller = new AbortController()
  const family = `
    const { spawn } = require('node:child_process')
    const c = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    process.stdout.write(String(c.pid)); setInterval(() => {}, 1000)`
  let grandchild = 0
  const running = start(node, script(family), {
    signal: controller.signal,
    onStdout: (chunk) => {
      grandchild = Number(chunk.toString())
      controller.abort()
    },
  })
  assert.equal((await running.done).kind, 'cancelled')
  assert.equal(getEventListeners(controller.signal, 'abort').length, 0)
  await wait(100)
  assert.ok(ended(grandchild))
})

test('a signal that has fired starts nothing', async () => {
  assert.equal((await run(node, script(''), { signal: AbortSignal.abort() })).kind, 'cancelled')
})

test('a child that ignores the polite signal is ended all the same', async () => {
  const stubborn = 'process.on("SIGTERM", () => {}); process.stdout.write("x"); setInterval(() => {}, 1000)'
  const controller = new AbortController()
  const running = start(node, script(stubborn), {
    signal: controller.signal,
    onStdout: () => controller.abort(),
  })
  assert.equal((await running.done).kind, 'cancelled')
})

test('time and output have limits of their own', async () => {
  const late = await run(node, script('setInterval(() => {}, 1000)'), { timeoutMs: 150 })
  assert.equal(late.kind, 'timed-out')
  const flood = 'const b = Buffer.alloc(65536); const f = () => process.stdout.write(b, f); f()'
  const much = await run(node, script(flood), { maxOutputBytes: 1_000_000 })
  assert.equal(much.kind, 'too-much-output')
  assert.ok('stdout' in much && much.stdout.length <= 1_000_000)
})

test('a flood on stderr keeps its end', async () => {
  const flood = 'process.stderr.write("x".repeat(3_000_000) + "the reason")'
  const done = exited(await run(node, script(flood)))
  assert.ok(done.stderr.length < 600_000)
  assert.match(done.stderr, /the reason$/)
})

test('a grandchild that keeps the pipes open does not hold the result back', async (t) => {
  if (process.platform === 'win32') return t.skip('skipped: process groups are a POSIX notion')
  const code = `
    const { spawn } = require('node:child_process')
    const c = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 6000)'], { stdio: 'inherit', detached: true })
    c.unref(); process.stdout.write('done'); process.exit(0)`
  const began = Date.now()
  assert.equal(exited(await run(node, script(code))).stdout.toString(), 'done')
  assert.ok(Date.now() - began < 5000)
})

test('a death by signal is a failure, never an exit code', async (t) => {
  if (process.platform === 'win32') return t.skip('skipped: signals are a POSIX notion')
  assert.equal((await run(node, script('process.kill(process.pid, "SIGKILL")'))).kind, 'failed')
})

test('a long-lived child is written to and read from until its input ends', async () => {
  const lines: string[] = []
  const running = start(node, script('process.stdin.pipe(process.stdout)'), {
    onStdout: (chunk) => void lines.push(chunk.toString()),
  })
  running.write('one\n')
  running.write('two\n')
  running.endInput()
  assert.equal(exited(await running.done).code, 0)
  assert.equal(lines.join(''), 'one\ntwo\n')
})
