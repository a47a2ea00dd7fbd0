/** What a request asks for, read from its path alone (apiserver, endpoints/request/requestinfo.go). */
export type RequestTarget = { readonly kind: 'path'; readonly path: string } | ResourceTarget

export interface ResourceTarget {
  readonly kind: 'resource'
  readonly group: string
  readonly version: string
  readonly resource: string
  /** Empty for cluster scope and for lists across namespaces. */
  readonly namespace: string
  /** Empty for collections. */
  readonly name: string
  readonly subresource: string
  /** What follows the subresource, as in a proxy's path. */
  readonly rest: string
  /** The old `/watch/` prefix was used. */
  readonly watchPrefix: boolean
}

const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize'])

/** Splits a path into what it names. Undecodable escapes leave it a plain path, which nothing serves. */
export function parseTarget(pathname: string): RequestTarget {
  const plain: RequestTarget = { kind: 'path', path: pathname }
  const parts = decodeParts(pathname)
  if (parts === undefined) return plain
  const core = parts[0] === 'api'
  if (!core && parts[0] !== 'apis') return plain
  const prefix = core ? 2 : 3
  if (parts.length <= prefix) return plain
  const [group, version] = core ? ['', parts[1] ?? ''] : [parts[1] ?? '', parts[2] ?? '']
  let rest = parts.slice(prefix)
  const watchPrefix = rest[0] === 'watch'
  if (watchPrefix) rest = rest.slice(1)
  let namespace = ''
  if (rest[0] === 'namespaces' && rest.length > 2 && !namespaceSubresources.has(rest[2] ?? '')) {
    namespace = rest[1] ?? ''
    rest = rest.slice(2)
  }
  const [resource = '', name = '', subresource = ''] = rest
  if (resource === '') return plain
  return {
    kind: 'resource',
    group,
    version,
    resource,
    namespace,
    name,
    subresource,
    rest: rest.slice(3).join('/'),
    watchPrefix,
  }
}

function decodeParts(pathname: string): string[] | undefined {
  try {
    return pathname
      .split('/')
      .filter((part) => part !== '')
      .map((part) => decodeURIComponent(part))
  } catch {
    return undefined
  }
}
