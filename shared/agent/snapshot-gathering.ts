import type { ApplicationSnapshot, ResourceStatus, TreeNode } from '../model/status.ts'
import type { SentSnapshot } from './contract.ts'
import { Splicing, type SnapshotPart } from './snapshot-parts.ts'

type Gathered = { readonly resources: Splicing<ResourceStatus>; readonly tree: Splicing<TreeNode> }

/** Puts snapshots together again from their parts, application by application. */
export class SnapshotGathering {
  readonly #whole = new Map<string, ApplicationSnapshot>()
  readonly #gathered = new Map<string, Gathered>()

  /** @returns the snapshot that a part completes; undefined while parts are missing */
  take({ application, onto, resources, tree, rest }: SnapshotPart): SentSnapshot | undefined {
    const known = onto === 'last' ? this.#whole.get(application) : undefined
    const begun = onto === 'parts' ? this.#gathered.get(application) : undefined
    // A part whose beginning was never heard of says nothing; the next whole snapshot will.
    if (onto !== 'nothing' && known === undefined && begun === undefined) return undefined
    const gathered = begun ?? {
      resources: new Splicing(known?.resources ?? []),
      tree: new Splicing(known?.tree ?? []),
    }
    gathered.resources.take(resources)
    gathered.tree.take(tree)
    if (rest === undefined) {
      this.#gathered.set(application, gathered)
      return undefined
    }
    this.#gathered.delete(application)
    const { local, ...head } = rest
    const snapshot = { ...head, resources: gathered.resources.made, tree: gathered.tree.made }
    this.#whole.set(application, snapshot)
    return { snapshot, local }
  }
}
