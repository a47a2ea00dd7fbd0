import type { Ref } from './refs.ts'

interface Options {
  readonly signal?: AbortSignal | undefined
}

/** What a remote says it has. */
export interface Advertised {
  /** Branches and tags; a tag's id is the tag object's. */
  readonly refs: readonly Ref[]
  /** The ref that the remote's HEAD names, or the commit where it is detached. */
  readonly head: string | undefined
}

/** One way to one remote. All throw GitError. */
export interface RemoteTransport {
  advertised(options: Options): Promise<Advertised>
  /** Makes a bare repository that `fetch` can fill, with the remote's kind of ids. */
  create(gitDir: string, advertised: Advertised, options: Options): Promise<void>
  /** Brings all branches and tags of the remote into a bare repository, and forgets those that are gone. */
  fetch(gitDir: string, advertised: Advertised, options: Options): Promise<void>
  /** Brings one ref or commit that is neither branch nor tag, and keeps it under a ref. */
  fetchOne(gitDir: string, wanted: string, keepAs: string, options: Options): Promise<void>
}
