import { catalogue, locateTool } from './locate.mjs'
import type { LocatedTool } from './locate.mjs'

export type ToolName = 'kube-apiserver' | 'kube-controller-manager' | 'kubectl' | 'etcd' | 'helm' | 'kustomize' | 'kind'

const located = new Map<ToolName, LocatedTool>()

/**
 * A real part in a version the tests accept, or why there is none. Asked once a process. Never builds:
 * `node test/support/tools/build.mjs` does.
 */
export function findTool(name: ToolName): LocatedTool {
  const known = located.get(name)
  if (known !== undefined) return known
  const answer = locateTool(name)
  located.set(name, answer)
  return answer
}

/**
 * The reason why a test that needs these parts must be skipped, or `false`; fits `test(name, { skip })`.
 *
 * @throws Error when `CI=true` and a required part is missing, so that a run that proves nothing is not called passed.
 */
export function missingTools(...names: readonly ToolName[]): string | false {
  for (const name of names) {
    const answer = findTool(name)
    if (answer.kind === 'found') continue
    if (process.env['CI'] === 'true' && catalogue[name]?.required === true) {
      throw new Error(`${answer.reason}; CI=true needs it, run node test/support/tools/build.mjs`)
    }
    return answer.reason
  }
  return false
}

/**
 * The path of a part that the caller knows to be there.
 *
 * @throws Error naming the missing part.
 */
export function toolPath(name: ToolName): string {
  const answer = findTool(name)
  if (answer.kind === 'missing') throw new Error(answer.reason)
  return answer.path
}
