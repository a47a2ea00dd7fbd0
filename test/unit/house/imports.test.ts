import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'

const root = path.resolve(import.meta.dirname, '../../..')

/** Which rooms a room may import from. Arrows point one way: model <- core <- session <- agent <- fronts. */
const TABLE: Readonly<Record<string, readonly string[]>> = {
  'shared/fields': [],
  'shared/base': [],
  'shared/model': ['shared/fields'],
  'shared/kubernetes': ['shared/fields'],
  'shared/core': ['shared/model', 'shared/fields', 'shared/base/assert-never.ts'],
  'shared/view': ['shared/model'],
  'shared/git': ['shared/model', 'shared/base'],
  'shared/signature': ['shared/model', 'shared/base'],
  'shared/render': ['shared/model', 'shared/base'],
  'shared/kube': ['shared/model', 'shared/base', 'shared/fields', 'shared/kubernetes'],
  'shared/store': ['shared/model', 'shared/base'],
  'shared/simulator': ['shared/base', 'shared/fields', 'shared/kubernetes'],
  'shared/clusters': ['shared/model', 'shared/base', 'shared/simulator'],
  'shared/loop': ['shared/model', 'shared/base', 'shared/core'],
  'shared/rehearsal': [
    'shared/model',
    'shared/base',
    'shared/fields',
    'shared/core',
    'shared/kube',
    'shared/store',
    'shared/clusters',
    'shared/simulator',
  ],
  'shared/session': [
    'shared/rehearsal',
    'shared/loop',
    'shared/model',
    'shared/base',
    'shared/core',
    'shared/git',
    'shared/signature',
    'shared/render',
    'shared/kube',
    'shared/store',
    'shared/clusters',
  ],
  'shared/agent': [
    'shared/session',
    'shared/loop',
    'shared/view',
    'shared/model',
    'shared/base',
    'shared/core',
    'shared/clusters',
    'shared/kube',
  ],
  'shared/ui': ['shared/view', 'shared/model', 'shared/base/assert-never.ts'],
  'desktop/renderer': ['shared/ui', 'shared/view', 'shared/model', 'shared/base/assert-never.ts'],
  desktop: ['shared/agent', 'shared/view', 'shared/model', 'shared/base', 'package.json'],
  extension: ['shared/agent', 'shared/view', 'shared/model', 'shared/base', 'package.json'],
  cli: [
    'shared/session',
    'shared/rehearsal',
    'shared/view',
    'shared/model',
    'shared/base',
    'shared/clusters',
    'shared/render',
    'shared/kube',
    'shared/git',
    'shared/signature',
    'shared/simulator',
    'shared/core',
    'shared/agent',
    'desktop/serve',
    'desktop/host',
    'package.json',
  ],
}

/** Packages that only fronts may know. */
const FRONT_PACKAGES = /^(vscode|electron)$/
/** Node's modules that the pure rooms may not touch (invariant 1). */
const PURE = ['shared/model', 'shared/fields', 'shared/core', 'shared/view']

type Import = { readonly from: string; readonly to: string; readonly line: number }

test('every import goes one way, as the table of rooms says', () => {
  const wrong = imports().flatMap(({ from, to, line }) => {
    if (!to.startsWith('.')) return []
    const target = path
      .relative(root, path.resolve(root, path.dirname(from), to))
      .split(path.sep)
      .join('/')
    const room = roomOf(from)
    const allowed = TABLE[room] ?? []
    const own = target.startsWith(`${room}/`) || target === `${room}.ts`
    return own ||
      allowed.some((other) => target === other || target === `${other}.ts` || target.startsWith(`${other}/`))
      ? []
      : [`${from}:${line} imports ${target}`]
  })
  assert.deepEqual(wrong, [])
})

test('the pure rooms run with no process, clock, disk or network (invariant 1)', () => {
  const wrong = imports()
    .filter(({ from, to }) => PURE.includes(roomOf(from)) && to.startsWith('node:'))
    .map(({ from, to, line }) => `${from}:${line} imports ${to}`)
  assert.deepEqual(wrong, [])
  const globals = /\b(process\.|Date\.now|setTimeout|setInterval|fetch\(|performance\.now|new Date\(\))/
  for (const file of sources().filter((name) => PURE.includes(roomOf(name)))) {
    const lines = readFileSync(path.join(root, file), 'utf8').split('\n')
    const at = lines.findIndex((text) => globals.test(text.replace(/\/\/.*|^\s*\*.*|\/\*\*.*/, '')))
    assert.equal(at, -1, `${file}:${at + 1} reaches outside: ${lines[at]}`)
  }
})

test('nothing under shared knows of VS Code or Electron', () => {
  const wrong = imports().filter(({ from, to }) => from.startsWith('shared/') && FRONT_PACKAGES.test(to))
  assert.deepEqual(wrong, [])
})

test('what is drawn in a page asks nothing of Node', () => {
  const pages = ['shared/ui', 'desktop/renderer']
  const wrong = imports().filter(({ from, to }) => pages.includes(roomOf(from)) && to.startsWith('node:'))
  assert.deepEqual(wrong, [])
})

test('only one file spawns processes', () => {
  const spawning = imports().filter(({ to }) => to === 'node:child_process')
  assert.deepEqual([...new Set(spawning.map(({ from }) => from))], ['shared/base/process.ts'])
})

test('every room of the sources stands in the table', () => {
  assert.deepEqual(
    [...new Set(sources().map(roomOf))].filter((room) => TABLE[room] === undefined),
    [],
  )
})

function roomOf(file: string): string {
  const [top, second] = file.split('/')
  // What is drawn in the window's page runs in a browser, and knows nothing of what serves it.
  if (top === 'desktop' && second === 'renderer') return 'desktop/renderer'
  return top === 'shared' ? `shared/${second?.replace(/\.ts$/, '') ?? ''}` : (top ?? '')
}

function sources(): readonly string[] {
  return ['shared', 'cli', 'desktop', 'extension']
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => `${folder}/${name.split(path.sep).join('/')}`),
    )
}

function imports(): readonly Import[] {
  return sources().flatMap((from) => {
    const text = readFileSync(path.join(root, from), 'utf8')
    const found = text.matchAll(
      /^(?:import|export)\b[^'";]*?from\s+'([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm,
    )
    return [...found].map((match) => ({
      from,
      to: match[1] ?? match[2] ?? match[3] ?? '',
      line: text.slice(0, match.index).split('\n').length,
    }))
  })
}
