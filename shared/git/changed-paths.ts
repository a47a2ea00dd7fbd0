import { throwIfAborted } from '../base/abort.ts'
import type { ObjectStore } from './object-store.ts'
import { comparePaths } from './repo-path.ts'
import type { TreeEntry } from './tree-parser.ts'

interface Options {
  readonly signal?: AbortSignal | undefined
}

/** @returns the files in which two trees differ, sorted. Folders with the same id are never opened. */
export async function changedPaths(
  objects: ObjectStore,
  from: string,
  to: string,
  options: Options,
): Promise<readonly string[]> {
  const changed: string[] = []
  await compare(objects, { prefix: '', from, to }, changed, options)
  return changed.sort(comparePaths)
}

interface Pair {
  readonly prefix: string
  readonly from: string | undefined
  readonly to: string | undefined
}

async function compare(objects: ObjectStore, pair: Pair, changed: string[], options: Options): Promise<void> {
  if (pair.from === pair.to) return
  throwIfAborted(options.signal)
  const before = await byName(objects, pair.from, options)
  const after = await byName(objects, pair.to, options)
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(name)
    const now = after.get(name)
    if (old?.id === now?.id && old?.kind === now?.kind) continue
    const path = pair.prefix + name
    if ([old, now].some((entry) => entry !== undefined && entry.kind !== 'folder')) changed.push(path)
    const inner = { prefix: `${path}/`, from: folderId(old), to: folderId(now) }
    if (inner.from !== inner.to) await compare(objects, inner, changed, options)
  }
}

async function byName(
  objects: ObjectStore,
  id: string | undefined,
  options: Options,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const entries = id === undefined ? [] : await objects.tree(id, options)
  return new Map(entries.map((entry) => [entry.name, entry]))
}

function folderId(entry: TreeEntry | undefined): string | undefined {
  return entry?.kind === 'folder' ? entry.id : undefined
}
