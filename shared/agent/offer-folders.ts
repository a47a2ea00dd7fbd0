import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FolderOffer } from '../model/front.ts'
import type { Cancellable } from '../model/ports.ts'
import { throwIfAborted } from '../base/abort.ts'

/** Repositories may be huge; a person chooses from a list. */
const MOST_OFFERS = 200
const DEEPEST = 8
const MOST_FOLDERS = 5000
const LARGEST_BYTES = 1024 * 1024
const KUSTOMIZATION = /^(?:kustomization\.ya?ml|Kustomization)$/
const MANIFEST = /\.(?:ya?ml|json)$/
/** A manifest says both at the start of a line; a chart's template, a workflow and a package file do not. */
const OBJECT = /^apiVersion:/gm
const ARGO = /^apiVersion:\s*["']?argoproj\.io\//m

/** Folders that hold manifests, by their names and words alone: nothing is rendered. */
export async function offerFolders(root: string, options: Cancellable): Promise<readonly FolderOffer[]> {
  const offers: FolderOffer[] = []
  const waiting: { readonly path: string; readonly depth: number }[] = [{ path: '.', depth: 0 }]
  for (let seen = 0; seen < MOST_FOLDERS && offers.length < MOST_OFFERS; seen += 1) {
    const next = waiting.shift()
    if (next === undefined) break
    throwIfAborted(options.signal)
    const entries = await readdir(path.join(root, next.path), { withFileTypes: true }).catch(() => [])
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
    const offer = await offerOf(root, next.path, files)
    if (offer !== undefined) offers.push(offer)
    // What lies below a chart is part of it.
    if (offer?.type === 'Helm' || next.depth === DEEPEST) continue
    const folders = entries.filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
    for (const { name } of folders.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      waiting.push({ path: path.posix.join(next.path, name), depth: next.depth + 1 })
  }
  return offers.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

async function offerOf(root: string, folder: string, files: readonly string[]): Promise<FolderOffer | undefined> {
  if (files.includes('Chart.yaml')) return { path: folder, type: 'Helm', objects: 0 }
  if (files.some((name) => KUSTOMIZATION.test(name))) return { path: folder, type: 'Kustomize', objects: 0 }
  let objects = 0
  for (const name of files.filter((file) => MANIFEST.test(file))) {
    const text = await textOf(path.join(root, folder, name))
    if (ARGO.test(text)) continue
    objects += name.endsWith('.json') ? Number(/"apiVersion"\s*:/.test(text)) : (text.match(OBJECT)?.length ?? 0)
  }
  return objects === 0 ? undefined : { path: folder, type: 'Directory', objects }
}

async function textOf(file: string): Promise<string> {
  try {
    return (await readFile(file)).subarray(0, LARGEST_BYTES).toString('utf8')
  } catch {
    return ''
  }
}
