import { setTimeout } from 'node:timers/promises'
import { Pool } from 'undici'

/** Where a server is and who asks; certificates are not checked, since both ends are this test's. */
export type ObjectsServer = { readonly url: string; readonly token: string }

type Resource = { readonly name: string; readonly verbs: readonly string[] }
type Item = {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly resourceVersion: string }
}

/**
 * What a real server writes by itself, clients or not: leases of its own, the services that lead to it, and the flow
 * control that it keeps for itself.
 */
const OWN_BUSINESS: ReadonlySet<string> = new Set([
  'events',
  'leases',
  'apiservices',
  'flowschemas',
  'prioritylevelconfigurations',
])

/**
 * The resourceVersion of every object that a server has, of every kind that it lists, by `path/namespace/name`. Two of them
 * that are equal mean that nothing was written in between.
 */
export async function resourceVersions(server: ObjectsServer): Promise<ReadonlyMap<string, string>> {
  const pool = new Pool(server.url, { connections: 8, connect: { rejectUnauthorized: false } })
  try {
    const get = async (path: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${server.token}`, accept: 'application/json' }
      const answer = await pool.request({ path, method: 'GET', headers })
      const text = await answer.body.text()
      // The storage of a kind that was just defined is still being set up.
      if (answer.statusCode === 429) {
        await setTimeout(Number(answer.headers['retry-after'] ?? 1) * 1000)
        return get(path)
      }
      if (answer.statusCode === 200) return JSON.parse(text)
      // A group that another server should answer for, and does not, keeps nothing here.
      if (answer.statusCode === 503) return { resources: [] }
      throw new Error(`GET ${path}: ${answer.statusCode}`)
    }
    const found = new Map<string, string>()
    const lists = (await groupVersions(get)).map(async (base) => collect(base, get, found))
    await Promise.all(lists)
    return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
  } finally {
    await pool.destroy()
  }
}

type Get = (path: string) => Promise<unknown>

async function groupVersions(get: Get): Promise<readonly string[]> {
  const { groups } = (await get('/apis')) as {
    readonly groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[]
  }
  return ['/api/v1', ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)]
}

async function collect(base: string, get: Get, found: Map<string, string>): Promise<void> {
  const { resources } = (await get(base)) as { readonly resources: readonly Resource[] }
  const listed = resources.filter(
    ({ name, verbs }) => verbs.includes('list') && !name.includes('/') && !OWN_BUSINESS.has(name),
  )
  for (const { name } of listed) {
    const { items } = (await get(`${base}/${name}`)) as { readonly items: readonly Item[] }
    for (const { metadata } of items) {
      found.set(`${base}/${name}/${metadata.namespace ?? ''}/${metadata.name}`, metadata.resourceVersion)
    }
  }
}
