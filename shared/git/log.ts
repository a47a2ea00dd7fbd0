import { throwIfAborted } from '../base/abort.ts'
import type { RepositoryLayout } from './discovery.ts'
import { runGit } from './git-binary.ts'
import type { GitBinary } from './git-binary.ts'
import type { ObjectStore } from './object-store.ts'

/** Commits that `to` reaches and `from` does not; both are whole shas. */
export interface LogRange {
  readonly from?: string | undefined
  readonly to: string
  /** At most so many, the newest. */
  readonly limit?: number | undefined
}

interface Sources {
  readonly layout: RepositoryLayout
  readonly objects: ObjectStore
  readonly git: GitBinary | undefined
}

interface Options {
  readonly signal?: AbortSignal | undefined
}

/** @returns shas, newest first and no commit before its children. */
export async function listCommits(sources: Sources, range: LogRange, options: Options): Promise<readonly string[]> {
  const { layout, git } = sources
  if (git === undefined) return walk(sources.objects, range, options)
  const args = ['rev-list', '--topo-order', '--end-of-options', range.to]
  if (range.limit !== undefined) args.splice(1, 0, `--max-count=${Math.max(0, Math.floor(range.limit))}`)
  if (range.from !== undefined) args.push(`^${range.from}`)
  const out = await runGit(git, args, { gitDir: layout.gitDir, ...options })
  return out.toString('latin1').split('\n').filter(Boolean)
}

/** Without git both sides are walked whole: a walk that stops early by date is wrong where clocks were. */
async function walk(objects: ObjectStore, { from, to, limit }: LogRange, options: Options): Promise<readonly string[]> {
  const hidden =
    from === undefined ? new Map<string, readonly string[]>() : await reach(objects, from, new Map(), options)
  const shown = await reach(objects, to, hidden, options)
  const children = new Map<string, number>([...shown.keys()].map((sha) => [sha, 0]))
  for (const parents of shown.values()) {
    for (const parent of parents) if (shown.has(parent)) children.set(parent, (children.get(parent) ?? 0) + 1)
  }
  const ready = shown.has(to) ? [to] : []
  const order: string[] = []
  for (let sha = ready.pop(); sha !== undefined && order.length < (limit ?? Infinity); sha = ready.pop()) {
    order.push(sha)
    for (const parent of (shown.get(sha) ?? []).toReversed()) {
      const left = (children.get(parent) ?? 0) - 1
      children.set(parent, left)
      if (left === 0) ready.push(parent)
    }
  }
  return order
}

/** Every commit that a commit reaches, with its parents, leaving out the hidden ones. */
async function reach(
  objects: ObjectStore,
  start: string,
  hidden: ReadonlyMap<string, readonly string[]>,
  options: Options,
): Promise<Map<string, readonly string[]>> {
  const seen = new Map<string, readonly string[]>()
  const open = [start]
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    if (seen.has(sha) || hidden.has(sha)) continue
    throwIfAborted(options.signal)
    const parents = await objects.parents(sha, options)
    seen.set(sha, parents)
    open.push(...parents)
  }
  return seen
}
