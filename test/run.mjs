#!/usr/bin/env node
// Runs the tests and ends with one plain line: `N passed, N failed, N skipped`.
//
//   node test/run.mjs [--real | --all | --workbench] [PATH...]
//
// Without a flag: everything that Node alone can run. `--real`: what needs servers. `--all`: both. `--workbench`: what needs a
// real VS Code, which wants the machine for itself.
// A PATH (a file or folder below test/) narrows the run to what lies under it, of whichever kind.
// Exit status: 0 nothing failed, 1 something failed or nothing ran, 2 for a wrong call.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const REAL_FOLDERS = new Set(['cluster', 'desktop'])
const WORKBENCH_FOLDERS = new Set(['extension'])
const NO_TESTS = new Set(['support', 'fixtures'])
// A hung test must not hang the run; the longest real one takes about a minute on two cores. Whoever names a path may have
// asked for a longer one: PLUMBLINE_KILLS=200 takes most of an hour on a busy machine.
const TIMEOUT_MS = 600_000
const NAMED_TIMEOUT_MS = 3 * 3_600_000

const CONCURRENCY = { plain: availableParallelism(), real: 2, workbench: 1 }

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(here)

const { kinds, paths } = readArguments(process.argv.slice(2))
const timeoutMs = paths.length > 0 ? NAMED_TIMEOUT_MS : TIMEOUT_MS
// What failed before the tests began counts, too.
const total = { passed: 0, failed: Number(process.env['PLUMBLINE_FAILED_BEFORE'] ?? 0), skipped: 0 }
for (const kind of kinds) {
  const files = testFiles(kind, paths)
  if (files.length === 0) continue
  const counts = await runFiles(files, CONCURRENCY[kind])
  for (const key of Object.keys(total)) total[key] += counts[key]
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed > 0 || total.passed + total.skipped === 0 ? 1 : 0

function readArguments(argv) {
  const flags = argv.filter((argument) => argument.startsWith('-'))
  const unknown = flags.find((flag) => !['--real', '--all', '--workbench'].includes(flag))
  if (unknown !== undefined) usage(`unknown flag ${unknown}`)
  const paths = argv.filter((argument) => !argument.startsWith('-')).map((path) => resolve(path))
  const missing = paths.find((path) => !existsSync(path))
  if (missing !== undefined) usage(`there is no ${missing}`)
  if (paths.length > 0) return { kinds: ['plain', 'real', 'workbench'], paths }
  if (flags.includes('--all')) return { kinds: ['plain', 'real'], paths }
  return { kinds: [flags.includes('--workbench') ? 'workbench' : flags.includes('--real') ? 'real' : 'plain'], paths }
}

function usage(problem) {
  console.error(`${problem}\nusage: run.mjs [--real | --all | --workbench] [PATH...]`)
  process.exit(2)
}

function testFiles(kind, paths) {
  return readdirSync(here, { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && kindOf(name) === kind)
    .map((name) => join(here, name))
    .filter((file) => paths.length === 0 || paths.some((path) => file === path || file.startsWith(path + sep)))
    .map((file) => relative(root, file))
    .sort()
}

function kindOf(name) {
  const [folder] = name.split(sep)
  if (NO_TESTS.has(folder)) return 'none'
  if (WORKBENCH_FOLDERS.has(folder)) return 'workbench'
  return REAL_FOLDERS.has(folder) ? 'real' : 'plain'
}

// The people's report goes to the terminal, the numbers come from a second report in a file.
async function runFiles(files, concurrency) {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-test-'))
  const tap = join(folder, 'report.tap')
  const argv = [
    '--test',
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${timeoutMs}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=tap',
    `--test-reporter-destination=${tap}`,
    ...files,
  ]
  try {
    const status = await runNode(argv)
    return count(existsSync(tap) ? readFileSync(tap, 'utf8') : '', status)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function runNode(argv) {
  const own = join(root, 'node_modules', '.bin', 'node')
  const child = spawn(existsSync(own) ? own : process.execPath, argv, { cwd: root, stdio: 'inherit' })
  const forward = (signal) => child.kill(signal)
  process.on('SIGINT', forward)
  process.on('SIGTERM', forward)
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (status, signal) => {
      process.off('SIGINT', forward)
      process.off('SIGTERM', forward)
      done(status ?? signal)
    })
  })
}

function count(tap, status) {
  // The last match: a test's own diagnostics may look the same.
  const number = (name) => Number([...tap.matchAll(new RegExp(`^# ${name} (\\d+)$`, 'gm'))].at(-1)?.[1] ?? 0)
  const failed = number('fail') + number('cancelled')
  // Whatever the report says, a runner that did not end well has not passed.
  return {
    passed: number('pass'),
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: number('skipped') + number('todo'),
  }
}
