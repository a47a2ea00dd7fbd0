import type { KubeObject } from '../object.ts'
import { parseQuantity } from '../../fields/quantity.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { dnsLabel } from './names.ts'
import { ipWarnings } from './network-warnings.ts'

/** What the server warns about in a pod or a pod template (`pkg/api/pod/warnings.go`). */

const pluginWarnings: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
}

const deadAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
}

/** Paths start with `prefix`: empty for a pod, `spec.template.` for a template. */
function podWarnings(metadata: Json | undefined, spec: Json, prefix: string): string[] {
  const annotations = objectAt(metadata, 'annotations') ?? {}
  return [
    ...spreadWarnings(spec, prefix),
    ...Object.entries(deadAnnotations)
      .filter(([key]) => Object.hasOwn(annotations, key))
      .map(([key, text]) => `${prefix}metadata.annotations[${key}]: ${text}`),
    ...objectsAt(spec, 'volumes').flatMap((volume, i) =>
      Object.entries(pluginWarnings)
        .filter(([key]) => !absent(volume, key))
        .map(([key, text]) => `${prefix}spec.volumes[${i}].${key === 'storageos' ? 'storageOS' : key}: ${text}`),
    ),
    ...repeatedItems(spec, 'hostAliases', 'ip', prefix),
    ...repeatedItems(spec, 'imagePullSecrets', 'name', prefix),
    ...objectsAt(spec, 'imagePullSecrets').flatMap((secret, i) =>
      textAt(secret, 'name') === '' ? [`${prefix}spec.imagePullSecrets[${i}].name: invalid empty name ""`] : [],
    ),
    ...containersOf(spec, prefix).flatMap(([container, at]) => [
      ...fractions(container, at),
      ...hiddenVariables(container, at),
    ]),
    ...portWarnings(containersOf(spec, prefix)),
    ...((numberAt(spec, 'terminationGracePeriodSeconds') ?? 0) < 0
      ? [
          `${prefix}spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...affinityWarnings(spec, prefix),
    ...textsAt(objectAt(spec, 'dnsConfig'), 'nameservers').flatMap((ip, i) =>
      ipWarnings(ip, `${prefix}spec.dnsConfig.nameservers[${i}]`),
    ),
    ...objectsAt(spec, 'hostAliases').flatMap((alias, i) =>
      ipWarnings(textAt(alias, 'ip'), `${prefix}spec.hostAliases[${i}].ip`),
    ),
  ]
}

type Located = readonly [container: Json, at: string]

function containersOf(spec: Json, prefix: string): Located[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    objectsAt(spec, list).map((container, i): Located => [container, `${prefix}spec.${list}[${i}]`]),
  )
}

const noPods = 'a null labelSelector results in matching no pod'

function spreadWarnings(spec: Json, prefix: string): string[] {
  return objectsAt(spec, 'topologySpreadConstraints').flatMap((constraint, i) =>
    absent(constraint, 'labelSelector')
      ? [`${prefix}spec.topologySpreadConstraints[${i}].labelSelector: ${noPods}`]
      : [],
  )
}

function affinityWarnings(spec: Json, prefix: string): string[] {
  return ['podAffinity', 'podAntiAffinity'].flatMap((kind) => {
    const rules = objectAt(objectAt(spec, 'affinity'), kind)
    const at = `${prefix}spec.affinity.${kind}`
    const required = 'requiredDuringSchedulingIgnoredDuringExecution'
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'
    return [
      ...objectsAt(rules, required).flatMap((term, i) =>
        absent(term, 'labelSelector') ? [`${at}.${required}[${i}].labelSelector: ${noPods}`] : [],
      ),
      ...objectsAt(rules, preferred).flatMap((term, i) =>
        absent(objectAt(term, 'podAffinityTerm'), 'labelSelector')
          ? [`${at}.${preferred}[${i}].podAffinityTerm.labelSelector: ${noPods}`]
          : [],
      ),
    ]
  })
}

function repeatedItems(spec: Json, list: string, key: string, prefix: string): string[] {
  const values = objectsAt(spec, list).map((item) => textAt(item, key))
  return values.flatMap((value, i) =>
    values.indexOf(value) < i ? [`${prefix}spec.${list}[${i}].${key}: duplicate ${key} ${JSON.stringify(value)}`] : [],
  )
}

function fractions(container: Json, at: string): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) =>
    ['limits', 'requests'].flatMap((list) => {
      const amount = objectAt(objectAt(container, 'resources'), list)?.[name]
      if (typeof amount !== 'string' || !fractional(amount)) return []
      return [`${at}.resources.${list}[${name}]: fractional byte value "${amount}" is invalid, must be an integer`]
    }),
  )
}

function fractional(amount: string): boolean {
  const { unscaled, exponent } = parseQuantity(amount)
  return exponent < 0 && unscaled % 10n ** BigInt(-exponent) !== 0n
}

function hiddenVariables(container: Json, at: string): string[] {
  const seen = new Set<string>()
  return objectsAt(container, 'env').flatMap((variable, i) => {
    const name = textAt(variable, 'name')
    const reference = `$(${name})`
    const value = textAt(variable, 'value')
    const again = seen.has(name)
    seen.add(name)
    const keeps = absent(variable, 'valueFrom') && value !== reference && value.includes(reference)
    if (!again || keeps) return []
    return [
      `${at}.env[${i}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
    ]
  })
}

interface SeenPort {
  readonly at: string
  readonly host: number
  readonly ip: string
}

function portWarnings(containers: readonly Located[]): string[] {
  const known = new Map<string, SeenPort[]>()
  const names = new Map<string, string>()
  const numbers: string[] = []
  const named: string[] = []
  for (const [container, path] of containers) {
    objectsAt(container, 'ports').forEach((port, i) => {
      const seen = { at: `${path}.ports[${i}]`, host: numberAt(port, 'hostPort') ?? 0, ip: textAt(port, 'hostIP') }
      const key = `${numberAt(port, 'containerPort') ?? 0}/${textAt(port, 'protocol')}`
      const others = known.get(key) ?? []
      numbers.push(...others.flatMap((other) => clash(seen, other)))
      known.set(key, [...others, seen])
      const name = textAt(port, 'name')
      const first = names.get(name)
      if (name === '') return
      if (first === undefined) names.set(name, seen.at)
      else {
        const text = `duplicate port name ${JSON.stringify(name)} with ${first}`
        named.push(`${seen.at}: ${text}, services and probes that select ports by name will use ${first}`)
      }
    })
  }
  return [...numbers, ...named]
}

function clash(port: SeenPort, other: SeenPort): string[] {
  const tell = (what: string): string[] => [`${port.at}: ${what} port definition with ${other.at}`]
  if (port.ip === other.ip && port.host === other.host) return tell('duplicate')
  if (port.host === 0 || other.host === 0) return tell('overlapping')
  return port.host === other.host && (port.ip === '') !== (other.ip === '') ? tell('dangerously ambiguous') : []
}

/** A name that is no DNS label makes odd host names. */
function nameWarnings(o: KubeObject, use: string): string[] {
  const found = dnsLabel(o.metadata.name ?? '')
  if (found.length === 0) return []
  const text = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended`
  return [`metadata.name: ${text}: [${found.join(' ')}]`]
}

/** People seldom change pods themselves, so that an update warns of nothing. */
export function warningsOfPod(o: KubeObject, live: KubeObject | undefined): string[] {
  if (live) return []
  return [...nameWarnings(o, "the Pod's hostname"), ...podWarnings(o.metadata as Json, objectAt(o, 'spec') ?? {}, '')]
}

/** Warnings about the template under a path such as `spec.template`; none while an update leaves the generation alone. */
export function warningsOfTemplate(
  path: string,
  named = true,
): (o: KubeObject, live: KubeObject | undefined) => string[] {
  const find = (o: KubeObject | undefined): Json | undefined =>
    path.split('.').reduce<Json | undefined>((holder, key) => objectAt(holder, key), o as Json | undefined)
  return (o, live) => {
    if (live && live.metadata.generation === o.metadata.generation) return []
    const template = find(o) ?? {}
    const names = named && !live ? nameWarnings(o, 'Pod names and hostnames') : []
    return [...names, ...podWarnings(objectAt(template, 'metadata'), objectAt(template, 'spec') ?? {}, `${path}.`)]
  }
}
