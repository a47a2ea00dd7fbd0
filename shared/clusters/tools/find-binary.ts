import { access, constants, readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { run, type RunOptions } from '../../base/process.ts'
import type { Cancellable } from '../../model/ports.ts'
import type { Host } from '../provider.ts'

/** A program on this machine. `version` is empty where it was not asked. */
export type Binary = { readonly path: string; readonly version: string }

/** Long enough for a cold disk; a tool that takes longer is broken. */
const ASK_MS = 20_000

/** The first executable of a name on PATH. */
export async function onPath(name: string, env: Host['env']): Promise<string | undefined> {
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name]
  for (const folder of (env['PATH'] ?? '').split(path.delimiter)) {
    for (const file of names) {
      if (folder !== '' && (await isExecutable(path.join(folder, file)))) return path.join(folder, file)
    }
  }
  return undefined
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}

/** Where downloaded tools lie: `NAME-VERSION/NAME`. */
export function toolsFolder({ env, cache }: Host): string {
  return env['PLUMBLINE_TOOLS'] || path.join(cache, 'tools')
}

/** Versions of a tool in the tools folder, newest first. */
export async function cachedBinaries(name: string, host: Host): Promise<readonly Binary[]> {
  const folder = toolsFolder(host)
  const found: Binary[] = []
  for (const entry of await readdir(folder).catch(() => [])) {
    const version = entry.startsWith(`${name}-v`) ? entry.slice(name.length + 1) : undefined
    const file = path.join(folder, entry, exe(name))
    if (version !== undefined && (await isExecutable(file))) found.push({ path: file, version })
  }
  return found.sort((a, b) => compareVersions(b.version, a.version))
}

/** A tool for commands: on PATH, else the newest of the tools folder. */
export async function findBinary(name: string, host: Host): Promise<string | undefined> {
  return (await onPath(name, host.env)) ?? (await cachedBinaries(name, host))[0]?.path
}

/** The version that a program says of itself; empty where it says none. */
export async function askVersion(
  file: string,
  args: readonly string[],
  options: Cancellable & Pick<RunOptions, 'env'>,
): Promise<string> {
  const done = await run(file, args, { ...options, timeoutMs: ASK_MS })
  const text = done.kind === 'exited' && done.code === 0 ? done.stdout.toString('utf8') : ''
  const version = /v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?)/.exec(text)?.[1]
  return version === undefined ? '' : `v${version}`
}

/** `v1.9.0` comes before `v1.10.0`, a pre-release before its release. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)]
  for (let index = 0; index < 3; index += 1) {
    const difference = (left.numbers[index] ?? 0) - (right.numbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  if (left.pre === right.pre) return 0
  if (left.pre === '' || right.pre === '') return left.pre === '' ? 1 : -1
  return left.pre < right.pre ? -1 : 1
}

function parts(version: string): { readonly numbers: readonly number[]; readonly pre: string } {
  const [, numbers = '', pre = ''] = /^v?([\d.]+)(?:-(.*))?$/.exec(version) ?? []
  return { numbers: numbers.split('.').map(Number), pre }
}

export function exe(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name
}

export function homeOf(env: Host['env']): string {
  return env['HOME'] || homedir()
}
