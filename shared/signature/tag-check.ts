import type { Verdict } from '../model/verdict.ts'
import type { Checking } from './commit-facts.ts'
import type { GitPolicy } from './policy.ts'
import { printable, verdictFor } from './reason.ts'
import { readTag } from './tag-object.ts'
import { refusalOf } from './trust-rule.ts'
import { verifyObject } from './verify.ts'

type Policy = Extract<GitPolicy, { readonly kind: 'policy' }>
type TagTarget = { readonly sha: string; readonly tag: string; readonly name: string }
type TagCheck = { readonly verdict: Verdict; readonly problems: readonly string[] }

/** Tags of tags that are followed; git itself sets no bound, nobody nests two. */
const maxDepth = 5

/**
 * Judges an annotated tag: its signature, that it leads to the commit that is synced, and that it is the tag it is called,
 * since a ref may be moved to an older tag object whose signature still holds.
 */
export async function checkTag(target: TagTarget, policy: Policy, checking: Checking): Promise<TagCheck> {
  const short = target.name.replace(/^refs\/tags\//, '')
  const read = await readTagObject(target.tag, checking)
  if (read === undefined || read.sha !== target.tag) {
    const verdict = verdictFor(target.tag, 'unknown', { reason: 'malformed-object' })
    return { verdict, problems: [`Failed verifying revision ${short} by '': no such tag object (key_id=)`] }
  }
  const { verdict } = await verifyObject(read, checking.keyring, checking.judging)
  const tagger = printable(`${read.tagger.name} "<${read.tagger.email}>"`)
  const say = (what: string) => `Failed verifying revision ${short} by '${tagger}': ${what}`
  const refusal = refusalOf(verdict, policy)
  if (refusal !== undefined) return { verdict, problems: [say(refusal)] }
  const keyId = `(key_id=${verdict.keyId ?? ''})`
  if (read.name !== short)
    return { verdict, problems: [say(`the tag object is named ${printable(read.name)} ${keyId}`)] }
  const leads = await leadsTo(read.target, read.targetType, target.sha, checking)
  return { verdict, problems: leads ? [] : [say(`the tag does not lead to commit ${target.sha} ${keyId}`)] }
}

async function leadsTo(target: string, type: string, commit: string, checking: Checking): Promise<boolean> {
  let [at, kind] = [target, type]
  for (let depth = 0; depth < maxDepth && kind === 'tag'; depth++) {
    const inner = await readTagObject(at, checking)
    if (inner === undefined || inner.sha !== at) return false
    at = inner.target
    kind = inner.targetType
  }
  return kind === 'commit' && at === commit
}

async function readTagObject(sha: string, { reader, signal }: Checking) {
  const bytes = await reader.readTag(sha, signal === undefined ? {} : { signal })
  return bytes === undefined ? undefined : readTag(bytes)
}
