import { Uri } from 'vscode'

export const SCHEME = 'plumbline'

/** One side of one object, as a document that nobody can write. */
export type ObjectRef = {
  readonly application: string
  readonly key: string
  /** `live` and `desired` are the two sides of a diff; `object` is all that the cluster has. */
  readonly side: 'live' | 'desired' | 'object'
  /** What the tab is called. */
  readonly name: string
  /** Of the kind, for `object`. */
  readonly version?: string
}

export function objectUri({ application, key, side, name, version = '' }: ObjectRef): Uri {
  const query = JSON.stringify({ application, key, side, version })
  return Uri.from({ scheme: SCHEME, path: `/${side}/${application}/${name.replaceAll('/', '_')}.yaml`, query })
}

/** @returns undefined for a URI that is none of ours */
export function objectRef(uri: Uri): Omit<ObjectRef, 'name'> | undefined {
  try {
    const { application, key, side, version } = JSON.parse(uri.query) as Partial<Record<keyof ObjectRef, unknown>>
    if (typeof application !== 'string' || typeof key !== 'string' || typeof version !== 'string') return undefined
    return side === 'live' || side === 'desired' || side === 'object' ? { application, key, side, version } : undefined
  } catch {
    return undefined
  }
}
