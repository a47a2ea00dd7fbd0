import { createHash } from 'node:crypto'
import type { DirectorySource } from '../model/application.ts'
import type { Cancellable, Checkout } from '../model/ports.ts'
import { selectFiles } from './directory.ts'

/** Something that a render looked at. `checkout` is '' for the source's own, else the name of a reference. */
export type Read =
  | { readonly kind: 'tree'; readonly checkout: string; readonly path: string }
  | {
      readonly kind: 'selection'
      readonly checkout: string
      readonly path: string
      readonly directory: DirectorySource
    }

/** A read and what it found: the tree's id, and for a selection the id of what it chose of that. */
export type Trace = { readonly read: Read; readonly tree: string; readonly id: string }

export type Checkouts = (name: string) => Checkout | undefined

/** Notes what reads find now, so that a later revision can be held against it. */
export async function traceReads(
  reads: readonly Read[],
  checkouts: Checkouts,
  options: Cancellable,
): Promise<readonly Trace[]> {
  return Promise.all(
    reads.map(async (read) => {
      const tree = await treeOf(read, checkouts, options)
      return { read, tree, id: read.kind === 'tree' ? tree : await selectionId(read, checkouts, options) }
    }),
  )
}

/** Whether every read would find again what it found then. */
export async function stillTrue(
  traces: readonly Trace[],
  checkouts: Checkouts,
  options: Cancellable,
): Promise<boolean> {
  const answers = await Promise.all(
    traces.map(async ({ read, tree, id }) => {
      if ((await treeOf(read, checkouts, options)) === tree) return true
      return read.kind === 'selection' && (await selectionId(read, checkouts, options)) === id
    }),
  )
  return answers.every(Boolean)
}

async function treeOf({ checkout, path }: Read, checkouts: Checkouts, options: Cancellable): Promise<string> {
  return (await checkouts(checkout)?.treeId(path, options)) ?? ''
}

async function selectionId(
  read: Extract<Read, { kind: 'selection' }>,
  checkouts: Checkouts,
  options: Cancellable,
): Promise<string> {
  const checkout = checkouts(read.checkout)
  if (checkout === undefined) return ''
  const files = await selectFiles(checkout, read.path, read.directory, options)
  const hash = createHash('sha256')
  for (const { path, kind, id } of files) {
    // A link's own id is that of the path it holds, which stays when the file behind it changes.
    const content = kind === 'link' ? ((await checkout.treeId(path, options)) ?? '') : id
    hash.update(`${content} ${path}\0`)
  }
  return hash.digest('hex')
}
