import type { Jq } from '../base/jq.ts'
import type { GitSource } from '../git/source.ts'
import type { SourceRenderer } from '../render/render.ts'
import type { CommitVerifier } from './commit-verifier.ts'

import type { RemoteAccess } from '../git/credentials.ts'

/** How a session is opened. */
export type SessionOptions = {
  /** The folder that the person works in. */
  readonly workspace: string
  /** Where Application files are: a folder or a file; the workspace's repository when absent. */
  readonly apps?: string
  /** The context to act on; `embedded` names the embedded cluster, empty the current one. */
  readonly context: string
  /** One kubeconfig instead of what `KUBECONFIG` names. */
  readonly kubeconfig?: string
  /** Whether clusters are watched between passes; a command that ends after one pass only lists. */
  readonly watch: boolean
  /** Managers whose fields are left alone on every object. */
  readonly trusted: readonly string[]
  /** Who is said to have asked for a sync. */
  readonly user?: string
  /** Milliseconds that an API server may take to begin an answer; a minute when absent. */
  readonly requestTimeoutMs?: number
  /** How Git's remotes are reached; by git's own means when absent. */
  readonly access?: RemoteAccess
  readonly signal?: AbortSignal
}

/** What a session has that no cluster gives. */
export type SessionParts = {
  readonly source: GitSource
  readonly renderer: SourceRenderer
  readonly jq: Jq
  readonly verifier: CommitVerifier
}
