import { groupKindKey, type KubeObject } from '../../model/kubernetes.ts'
import type { Health, HealthCode } from '../../model/health.ts'
import { answer } from './answer.ts'
import { conditionsOf, isStale, part, specOf, statusOf, text, type StatusCondition } from './facts.ts'

/** A condition of this type and status (`*` for any) decides; with `says`, only one with that reason or message. */
type Condition = {
  readonly type: string
  readonly status: string
  readonly code: HealthCode
  readonly says?: string
}

/** A word in the object decides: `at` names its place, a `*` ends a word that is only the beginning. */
type Words = {
  readonly at: readonly string[]
  readonly words: Readonly<Record<string, HealthCode>>
  /** For other words; where there is none at all the next step decides. */
  readonly others?: HealthCode
}

/** How the objects of some kinds tell how they are: the first step that says something decides. */
export type Told = {
  /** `group/Kind`, or several kinds of one group by commas. */
  readonly kinds: readonly string[]
  /** A field of the spec that, when true, suspends the object. */
  readonly paused?: string
  /** True where nothing counts that was said of an older spec. */
  readonly observed?: boolean
  readonly steps: readonly (Condition | Words)[]
  /** What is said before anything else is known. */
  readonly otherwise: HealthCode
}

/** `Ready=True`: a condition's type and status; `Ready=*` for any status. */
export function when(condition: string, code: HealthCode, says?: string): Condition {
  const [type = '', status = '*'] = condition.split('=')
  return { type, status, code, ...(says === undefined ? {} : { says }) }
}

/** @param at a path by dots, `status.phase` */
export function words(at: string, found: Words['words'], others?: HealthCode): Words {
  return { at: at.split('.'), words: found, ...(others === undefined ? {} : { others }) }
}

/** The rules by the key of group and kind. */
export function byKind(rules: readonly Told[]): ReadonlyMap<string, (object: KubeObject) => Health> {
  return new Map(
    rules.flatMap((rule) => {
      const judge = (object: KubeObject): Health => judgeBy(rule, object)
      return rule.kinds.flatMap((name) => {
        const [group = '', kinds = ''] = name.split('/')
        return kinds.split(',').map((kind) => [groupKindKey({ group, kind }), judge] as const)
      })
    }),
  )
}

function judgeBy({ paused, observed, steps, otherwise }: Told, object: KubeObject): Health {
  if (paused !== undefined && specOf(object)[paused] === true) return answer('Suspended', `${object.kind} is suspended`)
  if (observed === true && statusOf(object)['observedGeneration'] !== undefined && isStale(object))
    return answer('Progressing', 'the newest spec has not been observed yet')
  const conditions = conditionsOf(object)
  for (const step of steps) {
    const found = 'type' in step ? byCondition(step, conditions) : byWord(step, object)
    if (found !== undefined) return found
  }
  return answer(otherwise)
}

function byCondition(
  { type, status, code, says }: Condition,
  conditions: readonly StatusCondition[],
): Health | undefined {
  const found = conditions.find(
    (one) =>
      one.type === type &&
      (status === '*' || one.status === status) &&
      (says === undefined || one.reason === says || one.message === says),
  )
  return found === undefined ? undefined : answer(code, found.message || found.reason)
}

function byWord({ at, words: known, others }: Words, object: KubeObject): Health | undefined {
  const word = text(part(object, ...at.slice(0, -1))[at.at(-1) ?? ''])
  if (word === '') return undefined
  const begun = Object.entries(known).find(([each]) => each.endsWith('*') && word.startsWith(each.slice(0, -1)))
  const code = known[word] ?? begun?.[1] ?? others
  return code === undefined ? undefined : answer(code, word)
}
