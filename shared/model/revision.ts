/** A commit as the person named it and as it resolved. */
export type Revision = {
  /** The commit, or for the working tree the commit that it was checked out from. Empty in a repository without commits. */
  readonly sha: string
  /** The name that was asked for: `main`, `v1.2`, `HEAD`, a sha, `WORKTREE`. */
  readonly name: string
  readonly kind: 'commit' | 'worktree'
  readonly subject: string
  readonly author: string
  readonly authorEmail: string
  /** RFC 3339. */
  readonly committedAt: string
}
