#!/usr/bin/env node
// Finds the real parts that tests are judged by, and builds with Go what is missing, once, outside the repository.
//
//   node test/support/tools/build.mjs [--list] [--only NAME,NAME]
//
// One line a tool; exit status 1 when a required one could not be had, 2 for a wrong call.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheFolder, cachePath, catalogue, locateTool } from './locate.mjs'

const here = dirname(fileURLToPath(import.meta.url))

const { tools, listOnly } = choose(process.argv.slice(2))
let lacking = false
for (const name of tools) {
  const line = listOnly ? describe(locateTool(name)) : await provide(name)
  console.log(`${name} ${catalogue[name].version}: ${line.text}`)
  if (!line.ok && catalogue[name].required) lacking = true
}
process.exit(lacking ? 1 : 0)

function choose(argv) {
  const all = Object.keys(catalogue)
  let tools = all
  let listOnly = false
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === '--list') listOnly = true
    else if (argv[i] === '--only') tools = (argv[++i] ?? '').split(',')
    else usage(`unknown argument ${argv[i]}`)
  }
  const unknown = tools.find((name) => !all.includes(name))
  if (unknown !== undefined) usage(`no tool is called "${unknown}"; there are ${all.join(', ')}`)
  return { tools, listOnly }
}

function usage(problem) {
  console.error(`${problem}\nusage: build.mjs [--list] [--only NAME,NAME]`)
  process.exit(2)
}

function describe(located) {
  if (located.kind === 'missing') return { ok: false, text: `missing: ${located.reason}` }
  return { ok: true, text: `found ${located.version} (${located.from}) ${located.path}` }
}

async function provide(name) {
  const before = locateTool(name)
  if (before.kind === 'found') return describe(before)
  const release = await lock(name)
  try {
    // Another process may have built it while this one waited.
    const meanwhile = locateTool(name)
    return meanwhile.kind === 'found' ? describe(meanwhile) : build(name)
  } finally {
    release()
  }
}

function build(name) {
  const { module, package: main, stamps, version } = catalogue[name]
  const started = performance.now()
  const target = cachePath(name)
  const scratch = join(cacheFolder(), `.building-${name}-${process.pid}`)
  lowerPriority()
  const ldflags = ['-s', '-w', ...stamps.flatMap((path) => stamp(path, version))].join(' ')
  const go = spawnSync(
    'go',
    ['build', '-trimpath', '-buildvcs=false', '-ldflags', ldflags, '-o', join(scratch, name), main],
    {
      cwd: join(here, module),
      env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  try {
    if (go.error !== undefined)
      return { ok: false, text: `failed: ${go.error.code === 'ENOENT' ? 'no go on PATH' : go.error.message}` }
    if (go.status !== 0) return { ok: false, text: `failed: ${lastLine(go.stderr)}` }
    // The binary appears under its final name whole or not at all.
    rmSync(dirname(target), { recursive: true, force: true })
    renameSync(scratch, dirname(target))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return { ok: true, text: `built in ${((performance.now() - started) / 1000).toFixed(1)} s ${target}` }
}

function stamp(path, version) {
  if (!path.startsWith('k8s.io/')) return [`-X ${path}.version=${version}`]
  const [major, minor] = version.slice(1).split('.')
  const values = { gitVersion: version, gitMajor: major, gitMinor: minor, gitTreeState: 'clean' }
  return Object.entries(values).map(([key, value]) => `-X ${path}.${key}=${value}`)
}

function lastLine(text) {
  return text.trim().split('\n').at(-1) || 'go said nothing'
}

// Builds take minutes of every core; whoever works on the machine meanwhile goes first.
function lowerPriority() {
  try {
    setPriority(10)
  } catch {
    // Not allowed here: build at the usual priority.
  }
}

async function lock(name) {
  const path = join(cacheFolder(), `.lock-${name}`)
  mkdirSync(cacheFolder(), { recursive: true })
  for (;;) {
    try {
      mkdirSync(path)
      writeFileSync(join(path, 'pid'), String(process.pid))
      return () => rmSync(path, { recursive: true, force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (isAbandoned(path)) breakLock(path)
    else await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

function isAbandoned(path) {
  try {
    const owner = Number(readFileSync(join(path, 'pid'), 'utf8'))
    // An empty file is an owner caught between making it and writing it.
    return owner > 0 && !isAlive(owner)
  } catch {
    return ageMs(path) > 10_000
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function ageMs(path) {
  try {
    return Date.now() - statSync(path).mtimeMs
  } catch {
    return 0
  }
}

// Renaming first makes sure that of two who find the same dead owner only one removes the lock.
function breakLock(path) {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
    rmSync(aside, { recursive: true, force: true })
  } catch {
    // Somebody else was quicker.
  }
}
