import type { Application, ApplicationSource } from '../model/application.ts'
import type { Cancellable, Checkout, Judgement, VerifierPort } from '../model/ports.ts'
import type { FactsMemory, ObjectReader } from './commit-facts.ts'
import { type Target, evaluateIntegrity } from './evaluate.ts'
import type { Keyring } from './keyring.ts'
import type { GitPolicy } from './policy.ts'

/** What the checker needs to know of the world around it. */
export type VerifierParts = {
  /** The policies of the application's project, by `readPolicies`. @throws where the project cannot be had: then nothing may sync */
  policies(application: Application): Promise<readonly GitPolicy[]>
  keyring(): Promise<Keyring>
  /** Objects of the repository that a checkout came from. */
  reader(checkout: Checkout): ObjectReader
  /** The tag object's id where the revision names an annotated tag. */
  annotatedTag(checkout: Checkout, options: Cancellable): Promise<string | undefined>
  /** The commit of a source that was synced last. */
  lastSynced(application: Application, source: ApplicationSource, options: Cancellable): Promise<string | undefined>
  readonly memory: FactsMemory
  /** Milliseconds since 1970. */
  now(): number
}

/** The checker behind the port that `reconcile` knows. */
export function createVerifier(parts: VerifierParts): VerifierPort {
  return {
    async judge(application, source, checkout, options): Promise<Judgement | undefined> {
      // A chart comes from no commit; git policies say nothing of it.
      if (source.chart !== undefined) return undefined
      const policies = await parts.policies(application)
      if (policies.length === 0) return undefined
      const { signal } = options
      const lastSynced = await parts.lastSynced(application, source, options)
      const target = await targetOf(checkout, parts, options)
      const request = { policies, repoUrl: source.repoURL, target, ...(lastSynced !== undefined && { lastSynced }) }
      const found = await evaluateIntegrity(request, {
        reader: parts.reader(checkout),
        keyring: await parts.keyring(),
        judging: { now: parts.now() },
        memory: parts.memory,
        ...(signal !== undefined && { signal }),
      })
      if (found.kind === 'not-covered') return undefined
      return { verdict: found.verdict, ...(found.kind === 'refused' && { refusal: found.condition.message }) }
    },
  }
}

async function targetOf(checkout: Checkout, parts: VerifierParts, options: Cancellable): Promise<Target> {
  const { revision } = checkout
  if (revision.kind === 'worktree') return { kind: 'worktree', sha: revision.sha }
  const tag = await parts.annotatedTag(checkout, options)
  if (tag === undefined) return { kind: 'commit', sha: revision.sha }
  return { kind: 'tag', sha: revision.sha, tag, name: revision.name }
}
