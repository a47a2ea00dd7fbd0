import { setTimeout } from 'node:timers/promises'
import { Pool } from 'undici'

/** Where a server is and who asks; certificates are not checked, since both ends are this test's. */
export type ObjectsServer = { readonly url: string; readonly token: string }

/** An object as the server lists it, of any kind. */
export type StoredObject = {
  readonly group: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly resourceVersion: string
    readonly deletionTimestamp?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
    readonly ownerReferences?: readonly unknown[]
  }
  readonly data?: Readonly<Record<string, string>>
}

type Resource = { readonly name: string; readonly kind: string; readonly verbs: readonly string[] }

/**
 * What a real server writes by itself, clients or not: events, leases of its own, and the flow control that it keeps
 * for itself.
 */
const OWN_BUSINESS: ReadonlySet<string> = new Set(['events', 'leases', 'flowschemas', 'prioritylevelconfigurations'])
/** A real server keeps writing into these whether the services behind them answer. */
const RESTLESS: ReadonlySet<string> = new Set(['APIService'])

/** One string for one object, as the line's own keys are: group, kind, namespace and name. */
export function keyOf({ group, kind, metadata }: StoredObject): string {
  return `${group}|${kind}|${metadata.namespace ?? ''}|${metadata.name}`
}

/**
 * The resourceVersion of every object that a server has. Two of them that are equal mean that nothing was written in
 * between.
 */
export async function resourceVersions(server: ObjectsServer): Promise<ReadonlyMap<string, string>> {
  const objects = (await everyObject(server)).filter(({ kind }) => !RESTLESS.has(kind))
  const pairs = objects.map((object) => [keyOf(object), object.metadata.resourceVersion] as const)
  return new Map(pairs.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Every object of every kind that a server lists, but for what it keeps for itself. */
export async function everyObject(server: ObjectsServer): Promise<readonly StoredObject[]> {
  const pool = new Pool(server.url, { connections: 8, connect: { rejectUnauthorized: false } })
  try {
    const get = async (path: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${server.token}`, accept: 'application/json' }
      const answer = await pool.request({ path, method: 'GET', headers })
      const text = await answer.body.text()
      if (answer.statusCode === 200) return JSON.parse(text)
      // The storage of a kind that was just defined is still being set up.
      if (answer.statusCode === 429) {
        await setTimeout(Number(answer.headers['retry-after'] ?? 1) * 1000)
        return get(path)
      }
      // A group that another server should answer for, and does not, or a kind whose definition just went.
      if (answer.statusCode === 503 || answer.statusCode === 404) return { resources: [], items: [] }
      throw new Error(`GET ${path}: ${answer.statusCode}`)
    }
    const lists = (await groupVersions(get)).map(async ([group, base]) => collect(group, base, get))
    return (await Promise.all(lists)).flat()
  } finally {
    await pool.destroy()
  }
}

type Get = (path: string) => Promise<unknown>

async function groupVersions(get: Get): Promise<readonly (readonly [group: string, base: string])[]> {
  const { groups } = (await get('/apis')) as {
    readonly groups: readonly { readonly name: string; readonly preferredVersion: { readonly groupVersion: string } }[]
  }
  const named = groups.map(({ name, preferredVersion }) => [name, `/apis/${preferredVersion.groupVersion}`] as const)
  return [['', '/api/v1'], ...named]
}

async function collect(group: string, base: string, get: Get): Promise<readonly StoredObject[]> {
  const { resources } = (await get(base)) as { readonly resources: readonly Resource[] }
  const listed = resources.filter(
    ({ name, verbs }) => verbs.includes('list') && !name.includes('/') && !OWN_BUSINESS.has(name),
  )
  const found: StoredObject[] = []
  for (const { name, kind } of listed) {
    const { items } = (await get(`${base}/${name}`)) as {
      readonly items: readonly Omit<StoredObject, 'group' | 'kind'>[]
    }
    found.push(...items.map((item) => ({ ...item, group, kind })))
  }
  return found
}
