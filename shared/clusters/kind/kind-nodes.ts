import type { FoundCluster } from '../provider.ts'

/** One container of a kind cluster, as the engine lists it. */
export type KindNode = {
  readonly container: string
  readonly cluster: string
  readonly role: string
  readonly running: boolean
  readonly image: string
  /** RFC 3339; empty where the engine's own form is not known. */
  readonly createdAt: string
}

const CLUSTER = 'io.x-k8s.kind.cluster'
const ROLE = 'io.x-k8s.kind.role'

/** The listing of all containers that kind labels as its nodes; `nodesOf` reads what it prints. */
export function listArguments(engine: 'docker' | 'podman' | 'nerdctl'): readonly string[] {
  // docker's table has a function for labels, podman's a map.
  const label = (name: string): string => (engine === 'podman' ? `{{index .Labels "${name}"}}` : `{{.Label "${name}"}}`)
  const columns = ['{{.Names}}', label(CLUSTER), label(ROLE), '{{.Status}}', '{{.Image}}', '{{.CreatedAt}}']
  return ['ps', '-a', '--no-trunc', '--filter', `label=${CLUSTER}`, '--format', columns.join('\t')]
}

export function nodesOf(text: string): readonly KindNode[] {
  return text.split('\n').flatMap((line) => {
    const [container = '', cluster = '', role = '', status = '', image = '', created = ''] = line.trimEnd().split('\t')
    if (container === '' || cluster === '') return []
    return [{ container, cluster, role, running: /^up\b/i.test(status), image, createdAt: timeOf(created) }]
  })
}

/** `2026-11-20 12:34:56 +0100 CET`, with a fraction from podman. */
function timeOf(text: string): string {
  const [, date, time, zone = 'Z'] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)? ([+-]\d{4})/.exec(text) ?? []
  const ms = date === undefined ? Number.NaN : Date.parse(`${date}T${time}${zone.replace(/(\d\d)$/, ':$1')}`)
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString()
}

/** The clusters that the nodes make up, sorted by name. */
export function clustersOf(nodes: readonly KindNode[]): readonly FoundCluster[] {
  const byName = Map.groupBy(nodes, ({ cluster }) => cluster)
  return [...byName]
    .map(([name, own]) => {
      const planes = own.filter(({ role }) => role === 'control-plane')
      const members = own.filter(({ role }) => role !== 'external-load-balancer')
      const up = own.filter(({ running }) => running).length
      const createdAt = own
        .map((node) => node.createdAt)
        .filter((time) => time !== '')
        .sort()[0]
      return {
        name,
        state: up === own.length ? ('running' as const) : up === 0 ? ('stopped' as const) : ('failed' as const),
        context: `kind-${name}`,
        version: /:(v\d+\.\d+\.\d+[^@]*)/.exec(planes[0]?.image ?? '')?.[1] ?? '',
        nodes: members.length,
        ...(createdAt === undefined ? {} : { createdAt }),
        detail: up > 0 && up < own.length ? `only ${up} of its ${own.length} containers run; start it again` : '',
      }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
