import type { Command } from 'commander'
import { CliError } from '../cli-error.ts'

export type RevisionFlags = { readonly revision?: string; readonly worktree?: boolean }

export function addRevisionFlags(command: Command): Command {
  return command
    .option('--revision <rev>', 'branch, tag or sha instead of the one that the application names')
    .option('--worktree', 'the files as they are on disk, uncommitted ones included')
}

/** @throws CliError where both flags are given */
export function revisionOf({ revision, worktree }: RevisionFlags): { readonly revision?: string } {
  if (revision !== undefined && worktree === true)
    throw new CliError('usage', '--revision and --worktree exclude each other')
  if (worktree === true) return { revision: 'WORKTREE' }
  return revision === undefined ? {} : { revision }
}
