/** What a request asks for, read from its path alone (apiserver, endpoints/request/requestinfo.go). */
export type RequestTarget =
  | { readonly kind: 'path'; readonly path: string }
  /** Names a special verb and nothing that it could be done to. */
  | { readonly kind: 'incomplete' }
  | ResourceTarget

export interface ResourceTarget {
  readonly kind: 'resource'
  readonly group: string
  readonly version: string
  readonly resource: string
  /** Empty for cluster scope and for lists across namespaces. */
  readonly namespace: string
  /** The path has a place for a namespace and nothing in it. */
  readonly namespaceMissing: boolean
  /** Empty for collections. */
  readonly name: string
  readonly subresource: string
  /** What follows the subresource, as in a proxy's path. */
  readonly rest: string
  /** The old `/watch/` prefix was used. */
  readonly watchPrefix: boolean
}

const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize'])

/** Splits a decoded path into what it names. */
export function parseTarget(pathname: string): RequestTarget {
  const plain: RequestTarget = { kind: 'path', path: pathname }
  if (pathname.startsWith('//')) return plain
  const parts = pathname.replaceAll(/^\/|\/+$/gu, '').split('/')
  const core = parts[0] === 'api'
  if (!core && parts[0] !== 'apis') return plain
  const prefix = core ? 2 : 3
  if (parts.length <= prefix) return plain
  const [group, version] = core ? ['', parts[1] ?? ''] : [parts[1] ?? '', parts[2] ?? '']
  let rest = parts.slice(prefix)
  const watchPrefix = rest[0] === 'watch'
  if (rest.length === 1 && (watchPrefix || rest[0] === 'proxy')) return { kind: 'incomplete' }
  if (watchPrefix) rest = rest.slice(1)
  let namespace = ''
  let namespaceMissing = false
  if (rest[0] === 'namespaces' && rest.length > 2 && !namespaceSubresources.has(rest[2] ?? '')) {
    namespace = rest[1] ?? ''
    namespaceMissing = namespace === ''
    rest = rest.slice(2)
  }
  // A part that is empty fits no route, but for the namespace.
  if (rest.includes('') || parts.slice(0, prefix).includes('')) return plain
  const [resource = '', name = '', subresource = ''] = rest
  if (resource === '') return plain
  return {
    kind: 'resource',
    group,
    version,
    resource,
    namespace,
    namespaceMissing,
    name,
    subresource,
    rest: rest.slice(3).join('/'),
    watchPrefix,
  }
}
