import type { ApplicationSnapshot, ResourceStatus, TreeNode } from '../model/status.ts'

/**
 * A list made of another one, in steps: a positive number keeps that many items, a negative one drops that many, and a
 * list adds its items.
 */
export type Splices<T> = readonly (number | readonly T[])[]

/** A piece of a snapshot. Objects that have not changed since the last one are named by their place in it. */
export type SnapshotPart = {
  readonly kind: 'snapshot-part'
  readonly application: string
  /** What the steps speak of: nothing, the last whole snapshot, or what the parts before this one made. */
  readonly onto: 'nothing' | 'last' | 'parts'
  readonly resources: Splices<ResourceStatus>
  readonly tree: Splices<TreeNode>
  /** The rest of the snapshot, in its last part. */
  readonly rest?: SnapshotRest
}

export type SnapshotRest = Omit<ApplicationSnapshot, 'resources' | 'tree'> & { readonly local: boolean }

/** Items of one part. An item has about 700 characters; the reader's thread is to be free again within milliseconds. */
const MOST_ITEMS = 40

/** The steps from one list to the next; what is the very same object on both sides is kept. */
export function splices<T>(before: readonly T[], after: readonly T[]): Splices<T> {
  const places = new Map(before.map((item, index) => [item, index]))
  const steps: (number | T[])[] = []
  let at = 0
  for (const item of after) {
    const place = places.get(item) ?? -1
    if (place < at) {
      add(steps, item)
      continue
    }
    if (place > at) steps.push(at - place)
    keep(steps)
    at = place + 1
  }
  // What is left over is dropped without a word.
  return steps
}

/** Carries out steps on a list. */
export class Splicing<T> {
  readonly #before: readonly T[]
  #at = 0
  readonly made: T[] = []

  constructor(before: readonly T[]) {
    this.#before = before
  }

  take(steps: Splices<T>): void {
    for (const step of steps) {
      if (typeof step !== 'number') this.made.push(...step)
      else if (step < 0) this.#at -= step
      else {
        for (let count = 0; count < step; count += 1) {
          const item = this.#before[this.#at + count]
          if (item !== undefined) this.made.push(item)
        }
        this.#at += step
      }
    }
  }
}

/** The messages in which a snapshot is told to somebody who knows another one, or none. */
export function* partsOf(
  before: ApplicationSnapshot | undefined,
  { resources, tree, ...rest }: ApplicationSnapshot,
  local: boolean,
): Generator<SnapshotPart> {
  const application = rest.application.name
  const ofResources = inPieces(splices(before?.resources ?? [], resources))
  const ofTree = inPieces(splices(before?.tree ?? [], tree))
  const count = Math.max(1, ofResources.length + ofTree.length)
  for (let index = 0; index < count; index += 1) {
    yield {
      kind: 'snapshot-part',
      application,
      onto: index > 0 ? 'parts' : before === undefined ? 'nothing' : 'last',
      resources: ofResources[index] ?? [],
      tree: ofTree[index - ofResources.length] ?? [],
      ...(index === count - 1 ? { rest: { ...rest, local } } : {}),
    }
  }
}

function add<T>(steps: (number | T[])[], item: T): void {
  const last = steps.at(-1)
  if (typeof last === 'object' && last.length < MOST_ITEMS) last.push(item)
  else steps.push([item])
}

function keep(steps: (number | unknown[])[]): void {
  const last = steps.at(-1)
  if (typeof last === 'number' && last > 0) steps[steps.length - 1] = last + 1
  else steps.push(1)
}

/** Steps cut so that no piece adds more than a message should have. */
function inPieces<T>(steps: Splices<T>): readonly Splices<T>[] {
  const pieces: (number | readonly T[])[][] = []
  let added = MOST_ITEMS
  for (const step of steps) {
    const items = typeof step === 'number' ? 1 : step.length
    if (added + items > MOST_ITEMS) {
      pieces.push([])
      added = 0
    }
    pieces.at(-1)?.push(step)
    added += items
  }
  return pieces
}
