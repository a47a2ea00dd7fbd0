import type { Application, IgnoreDifference } from '../../model/application.ts'
import type { Json } from '../../model/json.ts'
import type { KubeObject, ResourceId } from '../../model/kubernetes.ts'
import { fromPointer } from '../../model/pointer.ts'
import type { Digest, JqPort } from '../../model/ports.ts'
import type { TrustedManagers } from './trust.ts'

/** Tells whether a path of an object is to be left out of the comparison. */
export type Covers = (path: readonly (string | number)[]) => boolean

/** ignoreDifferences of one application (Argo CD `docs/user-guide/diffing.md`). */
export interface IgnoreRules {
  /** Changes when the rules do. */
  readonly digest: string
  /** Managers whose fields are left alone on this object. */
  trustedFor(id: ResourceId): TrustedManagers
  /** Undefined where no rule names the object. */
  pathsFor(id: ResourceId, live: KubeObject, desired: KubeObject): Promise<Covers> | undefined
}

const NOBODY: TrustedManagers = new Set()

export function ignoreRules(
  application: Application,
  trusted: readonly string[],
  jq: JqPort,
  digest: Digest,
): IgnoreRules {
  const rules = application.ignoreDifferences
  const everywhere: TrustedManagers = trusted.length === 0 ? NOBODY : new Set(trusted)
  return {
    digest: rules.length === 0 && trusted.length === 0 ? '' : digest(JSON.stringify([rules, trusted])),
    trustedFor(id) {
      const named = rules.filter((rule) => matches(rule, id)).flatMap((rule) => rule.managedFieldsManagers)
      return named.length === 0 ? everywhere : new Set([...everywhere, ...named])
    },
    pathsFor(id, live, desired) {
      const matching = rules.filter((rule) => matches(rule, id))
      return matching.length === 0 ? undefined : coversOf(matching, [live, desired], jq)
    },
  }
}

async function coversOf(rules: readonly IgnoreDifference[], objects: readonly Json[], jq: JqPort): Promise<Covers> {
  const prefixes: (readonly (string | number)[])[] = rules.flatMap((rule) => rule.jsonPointers.map(fromPointer))
  for (const expression of rules.flatMap((rule) => rule.jqPathExpressions)) {
    for (const object of objects) prefixes.push(...(await jq.paths(expression, object)))
  }
  return (path) => prefixes.some((prefix) => startsWith(path, prefix))
}

function startsWith(path: readonly (string | number)[], prefix: readonly (string | number)[]): boolean {
  return prefix.length <= path.length && prefix.every((step, index) => String(step) === String(path[index]))
}

function matches(rule: IgnoreDifference, id: ResourceId): boolean {
  return (
    (rule.group === '*' || rule.group === id.group) &&
    (rule.kind === '*' || rule.kind === id.kind) &&
    (rule.name === undefined || rule.name === '' || rule.name === id.name) &&
    (rule.namespace === undefined || rule.namespace === '' || rule.namespace === id.namespace)
  )
}
