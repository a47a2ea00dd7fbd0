// Where the real parts are: shared by the builder (plain Node, before anything is installed) and by the tests.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** @type {import('./locate.d.mts').Catalogue} */
export const catalogue = JSON.parse(readFileSync(new URL('./catalogue.json', import.meta.url), 'utf8'))

export function cacheFolder(env = process.env) {
  return env['PLUMBLINE_TOOLS'] || join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'plumbline', 'tools')
}

export function cachePath(name, env = process.env) {
  return join(cacheFolder(env), `${name}-${catalogue[name].version}`, name)
}

// The cache is asked before PATH: what is in it has the pinned version by its folder's name, so no process is needed.
export function locateTool(name, env = process.env) {
  const entry = catalogue[name]
  if (entry === undefined) return { kind: 'missing', reason: `no tool is called ${name}` }
  const refused = []
  for (const candidate of candidates(name, env)) {
    if (!isExecutable(candidate.path)) continue
    if (candidate.from === 'cache') return { kind: 'found', ...candidate, version: entry.version }
    const version = askVersion(candidate.path, entry.versionArguments)
    if (version !== undefined && new RegExp(entry.accepts).test(version)) {
      return { kind: 'found', ...candidate, version: `v${version}` }
    }
    refused.push(`${candidate.path} is ${version ?? 'of an unknown version'}`)
  }
  const seen = refused.length > 0 ? ` (${refused.join(', ')})` : ''
  return { kind: 'missing', reason: `no ${name} ${entry.version} on this machine${seen}` }
}

function candidates(name, env) {
  const list = []
  if (env['KUBEBUILDER_ASSETS']) list.push({ from: 'KUBEBUILDER_ASSETS', path: join(env['KUBEBUILDER_ASSETS'], name) })
  list.push({ from: 'cache', path: cachePath(name, env) })
  const seen = new Set()
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    if (folder === '' || seen.has(folder)) continue
    seen.add(folder)
    list.push({ from: 'PATH', path: join(folder, name) })
  }
  return list
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function askVersion(path, versionArguments) {
  const answer = spawnSync(path, versionArguments, {
    encoding: 'utf8',
    timeout: 20_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return /v?(\d+\.\d+\.\d+)/.exec(answer.stdout ?? '')?.[1]
}
