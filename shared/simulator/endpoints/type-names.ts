import { structOfKind } from '../kinds/go-types.ts'
import { splitApiVersion } from '../object.ts'
import { apiVersionOf } from './resource-type.ts'

/** The Go package of a group's internal types, where it is not the first label of the group's name. */
const internalPackages: Readonly<Record<string, string>> = {
  '': 'core',
  'rbac.authorization.k8s.io': 'rbac',
  'flowcontrol.apiserver.k8s.io': 'flowcontrol',
  'events.k8s.io': 'core',
}

/** The Go package of a group's internal types. */
export function internalPackage(group: string): string {
  return internalPackages[group] ?? group.split('.')[0] ?? ''
}

/**
 * Why an object of another kind cannot be read as `type`, in the words of apimachinery `pkg/runtime/scheme.go`;
 * undefined where only the version differs.
 */
export function unknownKind(
  apiVersion: string,
  kind: string,
  type: { readonly group: string; readonly version: string; readonly kind: string },
): string | undefined {
  const [group, version] = splitApiVersion(apiVersion)
  if (structOfKind(apiVersion, kind) === undefined && !isList(apiVersion, kind)) {
    return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`
  }
  if (kind === type.kind && group === type.group) return undefined
  const wanted = internalPackage(type.group)
  return kind === type.kind && apiVersion === apiVersionOf(type)
    ? undefined
    : `converting (${version}.${kind}) to (${wanted}.${type.kind}): unknown conversion`
}

/** Lists of a version's kinds are kinds of it as well. */
function isList(apiVersion: string, kind: string): boolean {
  if (!kind.endsWith('List')) return false
  return (
    (apiVersion === 'v1' && kind === 'List') || structOfKind(apiVersion, kind.slice(0, -'List'.length)) !== undefined
  )
}
