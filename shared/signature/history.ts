import { type Checking, type CommitFacts, factsOf, linksOf } from './commit-facts.ts'
import { MaxHeap } from './max-heap.ts'

/** A commit that somebody must answer for; `facts` is undefined where the repository does not have it. */
export type Visited = { readonly sha: string; readonly facts: CommitFacts | undefined; readonly child: string }

export type Walk = {
  readonly from: string
  /** Trusted with all its ancestors. */
  readonly since?: string
  /** Whether a commit is in order; a seal that is ends the walk there. */
  readonly isInOrder: (facts: CommitFacts) => boolean
}

export type WalkResult = {
  /** Commits looked at, newest first as their dates claim. */
  readonly checked: number
  readonly failed: readonly Visited[]
  readonly isTooLong: boolean
}

/** Commits that one walk reads at most; a longer history wants a seal or a trusted start. */
const maxCommits = 200_000

/** Clocks differ; a trusted path is followed this much further back than the oldest commit that failed, seconds. */
const slack = 7 * 24 * 3600

type Entry = { readonly sha: string; readonly child: string; readonly isTrusted: boolean }

/** The state of one walk. An entry waits under its child's date, so that trusted and untrusted paths go back side by side. */
type State = {
  readonly heap: MaxHeap<Entry>
  readonly trusted: Set<string>
  readonly seen: Set<string>
  readonly failed: Map<string, Visited>
  /** Untrusted entries in the heap. */
  open: number
}

/**
 * Walks from a commit through its ancestors, except those of sealed commits and of `since`, as `git rev-list from --not
 * seals since` selects them. The commit itself is always judged. Dates only order the walk: where they lie, more commits
 * are judged, never fewer.
 */
export async function walkHistory(walk: Walk, checking: Checking): Promise<WalkResult> {
  const state: State = { heap: new MaxHeap(), trusted: new Set(), seen: new Set(), failed: new Map(), open: 1 }
  const result = (isTooLong: boolean) => ({ checked: state.seen.size, failed: [...state.failed.values()], isTooLong })
  state.heap.push(Infinity, { sha: walk.from, child: '', isTrusted: false })
  if (walk.since !== undefined) trust(state, walk.since, Infinity, walk.from)
  for (let top = state.heap.pop(); top !== undefined; top = state.heap.pop()) {
    checking.signal?.throwIfAborted()
    if (state.open === 0 && !mayStillSave(state, top.weight)) break
    if (top.value.isTrusted) await followTrusted(top.value.sha, walk, state, checking)
    else await look(top.value, walk, state, checking)
    if (state.seen.size + state.trusted.size > maxCommits) return result(true)
  }
  return result(false)
}

/** Whether going further back on trusted paths can still meet a commit that failed. */
function mayStillSave({ failed }: State, weight: number): boolean {
  const oldest = Math.min(Infinity, ...[...failed.values()].map((visited) => visited.facts?.seconds ?? 0))
  return failed.size > 0 && weight >= oldest - slack
}

async function followTrusted(sha: string, walk: Walk, state: State, checking: Checking): Promise<void> {
  const links = await linksOf(sha, checking)
  for (const parent of links?.parents ?? []) trust(state, parent, links?.seconds ?? 0, walk.from)
}

function trust(state: State, sha: string, weight: number, from: string): void {
  if (state.trusted.has(sha)) return
  state.trusted.add(sha)
  if (sha !== from) state.failed.delete(sha)
  state.heap.push(weight, { sha, child: '', isTrusted: true })
}

/** Judges one commit and queues its parents. */
async function look(entry: Entry, walk: Walk, state: State, checking: Checking): Promise<void> {
  state.open--
  if (state.seen.has(entry.sha) || (state.trusted.has(entry.sha) && entry.sha !== walk.from)) return
  state.seen.add(entry.sha)
  const facts = await factsOf(entry.sha, checking)
  const isInOrder = facts !== undefined && walk.isInOrder(facts)
  if (!isInOrder) state.failed.set(entry.sha, { sha: entry.sha, facts, child: entry.child })
  if (facts === undefined) return
  for (const parent of facts.parents) {
    if (isInOrder && facts.isSeal) {
      trust(state, parent, facts.seconds, walk.from)
    } else {
      state.heap.push(facts.seconds, { sha: parent, child: entry.sha, isTrusted: false })
      state.open++
    }
  }
}
