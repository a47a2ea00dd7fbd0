import type { Verdict } from '../model/verdict.ts'
import { type Checking, type CommitFacts, factsOf } from './commit-facts.ts'
import { type Visited, walkHistory } from './history.ts'
import type { GitPolicy } from './policy.ts'
import { verdictFor } from './reason.ts'
import { coversRepository } from './repo-glob.ts'
import { checkTag } from './tag-check.ts'
import { checkNameOf, modeOf, refusalOf } from './trust-rule.ts'

/** What is to be synced. `name` is the revision as it was asked for. */
export type Target =
  | { readonly kind: 'commit'; readonly sha: string }
  /** An annotated tag: `tag` is the tag object, `sha` the commit that it leads to. */
  | { readonly kind: 'tag'; readonly sha: string; readonly tag: string; readonly name: string }
  /** Files on disk; `sha` is what they were checked out from. */
  | { readonly kind: 'worktree'; readonly sha: string }

export type IntegrityRequest = {
  readonly policies: readonly GitPolicy[]
  readonly repoUrl: string
  readonly target: Target
  /** The commit that was synced last, which then was in order. */
  readonly lastSynced?: string
}

/** An Application's condition as Argo CD sets it for a source that does not pass. */
export type IntegrityCondition = { readonly type: 'ComparisonError'; readonly message: string }

export type Integrity =
  | { readonly kind: 'not-covered' }
  | { readonly kind: 'passed'; readonly verdict: Verdict; readonly checked: number }
  | {
      readonly kind: 'refused'
      readonly verdict: Verdict
      readonly checked: number
      readonly problems: readonly string[]
      readonly condition: IntegrityCondition
    }

/** Problems that a condition lists at most; the rest would only hide them (Argo CD's number). */
const maxProblems = 10

/**
 * Holds a target against the first policy that covers its repository. Only `passed` may be synced, and `not-covered`,
 * where no policy asks for anything. Every doubt refuses.
 * @throws whatever the reader throws, and the signal's reason
 */
export async function evaluateIntegrity(request: IntegrityRequest, checking: Checking): Promise<Integrity> {
  const policy = request.policies.find((candidate) => coversRepository(candidate.repos, request.repoUrl))
  if (policy === undefined) return { kind: 'not-covered' }
  const { target } = request
  if (policy.kind === 'broken') {
    const verdict = verdictFor(target.sha, 'none', { reason: 'no-signature' })
    return refused('GIT', verdict, 0, [`${policy.message} for repo URL: ${request.repoUrl}`])
  }
  const mode = modeOf(policy)
  if (mode === 'none') return { kind: 'not-covered' }
  const name = checkNameOf(policy)
  if (target.kind === 'worktree') {
    const verdict = verdictFor(target.sha, 'none', { reason: 'no-signature' })
    return refused(name, verdict, 0, [problem('WORKTREE', '', 'uncommitted work is unsigned (key_id=)')])
  }
  const strictly = { ...checking, judging: { ...checking.judging, ...judgingOf(policy) } }
  const tag = target.kind === 'tag' ? await checkTag(target, policy, strictly) : undefined
  if (mode === 'head' && tag !== undefined) return conclude(name, tag.verdict, 1, tag.problems)
  const since = mode === 'range' ? (request.lastSynced ?? policy.since) : undefined
  const commits = await checkCommits(target.sha, mode === 'head' ? 'one' : 'history', since, policy, strictly)
  const verdict = tag?.verdict ?? commits.verdict
  return conclude(name, verdict, commits.checked + (tag === undefined ? 0 : 1), [
    ...(tag?.problems ?? []),
    ...commits.problems,
  ])
}

type Policy = Extract<GitPolicy, { readonly kind: 'policy' }>
type Commits = { readonly verdict: Verdict; readonly checked: number; readonly problems: readonly string[] }

function judgingOf({ gpg, ssh }: Policy): Pick<Checking['judging'], 'keysAt' | 'securityKey'> {
  return {
    ...(gpg !== undefined && { keysAt: gpg.keysAt }),
    ...(ssh !== undefined && { securityKey: ssh.securityKey }),
  }
}

async function checkCommits(
  from: string,
  scope: 'one' | 'history',
  since: string | undefined,
  policy: Policy,
  checking: Checking,
): Promise<Commits> {
  const isInOrder = (facts: CommitFacts) => refusalOf(facts.verdict, policy) === undefined
  const head = await factsOf(from, checking)
  const verdict = head?.verdict ?? verdictFor(from, 'unknown', { reason: 'malformed-object' })
  if (scope === 'one') {
    const failed = head === undefined || !isInOrder(head) ? [{ sha: from, facts: head, child: '' }] : []
    return { verdict, checked: 1, problems: describe(failed, policy) }
  }
  const walk = { from, isInOrder, ...(since !== undefined && { since }) }
  const { checked, failed, isTooLong } = await walkHistory(walk, checking)
  const tooLong = isTooLong ? [`Failed verifying revision ${from}: its history is too long to be checked whole`] : []
  return { verdict, checked, problems: [...describe(failed, policy), ...tooLong] }
}

/** One line for each failing key and each unsigned commit, as Argo CD words them. */
function describe(failed: readonly Visited[], policy: Policy): readonly string[] {
  const reported = new Set<string>()
  const problems: string[] = []
  for (const { sha, facts, child } of failed) {
    if (facts === undefined) {
      const needed = child === '' ? '' : `, a parent of ${child}`
      problems.push(problem(sha, '', `not in the repository${needed} (key_id=)`))
      continue
    }
    const { keyId } = facts.verdict
    if (keyId !== undefined && reported.has(keyId)) continue
    if (keyId !== undefined) reported.add(keyId)
    problems.push(problem(sha, facts.author, refusalOf(facts.verdict, policy) ?? ''))
  }
  return problems
}

function problem(revision: string, author: string, what: string): string {
  return `Failed verifying revision ${revision} by '${author}': ${what}`
}

function conclude(name: string, verdict: Verdict, checked: number, problems: readonly string[]): Integrity {
  return problems.length === 0 ? { kind: 'passed', verdict, checked } : refused(name, verdict, checked, problems)
}

function refused(name: string, verdict: Verdict, checked: number, problems: readonly string[]): Integrity {
  const listed = problems.slice(0, maxProblems)
  const message = listed.map((text) => `${name}: ${text}`).join('\n')
  return { kind: 'refused', verdict, checked, problems: listed, condition: { type: 'ComparisonError', message } }
}
