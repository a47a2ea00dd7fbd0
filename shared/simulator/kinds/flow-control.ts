import type { KubeObject } from '../object.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { forbidden, invalid, notSupported, required } from './field-error.ts'
import { oneOf } from './checks.ts'
import type { Json } from './json.ts'
import { numberAt, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { failing } from './metadata.ts'
import { dnsLabel, dnsSubdomain } from './names.ts'

/** Which requests wait for which others (`pkg/apis/flowcontrol/validation`). */

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}
const resetFields = { main: [['status']], status: [['spec'], ['metadata']] }

const maxPrecedence = 10_000
const maxQueues = 10_000_000
/** The server deals hands by hashes of so many bits. */
const maxHashBits = 60

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch']

export const flowSchema = defineKind({
  metadataOnUpdate: 'whole',
  status: true,
  generation: ['spec'],
  resetFields,
  validate: (o) => {
    const spec = specOf(o)
    const level = textAt(objectAt(spec, 'priorityLevelConfiguration'), 'name')
    const field = 'spec.priorityLevelConfiguration.name'
    return [
      ...precedence(numberAt(spec, 'matchingPrecedence') ?? 0, o.metadata.name),
      ...distinguisher(objectAt(spec, 'distinguisherMethod')),
      ...(level === '' ? [required(field, 'must reference a priority level')] : failing(dnsSubdomain, level, field)),
      ...objectsAt(spec, 'rules').flatMap((rule, i) => ruleErrors(rule, `spec.rules[${i}]`)),
    ]
  },
})

function precedence(order: number, name: string | undefined): FieldError[] {
  const field = 'spec.matchingPrecedence'
  if (order <= 0) return [invalid(field, order, 'must be a positive value')]
  if (order > maxPrecedence) return [invalid(field, order, `must not be greater than ${maxPrecedence}`)]
  if (order > 1 || name === 'exempt') return []
  return [invalid(field, order, "only the schema named 'exempt' may have matchingPrecedence 1")]
}

function distinguisher(method: Json | undefined): FieldError[] {
  const known = ['ByNamespace', 'ByUser']
  if (!method || known.includes(textAt(method, 'type'))) return []
  return [notSupported('spec.distinguisherMethod.type', { Type: textAt(method, 'type') }, known)]
}

function ruleErrors(rule: Json, at: string): FieldError[] {
  const subjects = objectsAt(rule, 'subjects')
  const resources = objectsAt(rule, 'resourceRules')
  const urls = objectsAt(rule, 'nonResourceRules')
  return [
    ...(subjects.length === 0 ? [required(`${at}.subjects`, 'subjects must contain at least one value')] : []),
    ...subjects.flatMap((subject, i) => subjectErrors(subject, `${at}.subjects[${i}]`)),
    ...(resources.length + urls.length === 0
      ? [required(at, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...resources.flatMap((item, i) => resourceRule(item, `${at}.resourceRules[${i}]`)),
    ...urls.flatMap((item, i) => urlRule(item, `${at}.nonResourceRules[${i}]`)),
  ]
}

/** Kinds of subjects, in the order in which what is one too many is told. */
const subjectParts = [
  { kind: 'ServiceAccount', key: 'serviceAccount' },
  { kind: 'User', key: 'user' },
  { kind: 'Group', key: 'group' },
]

function subjectErrors(subject: Json, at: string): FieldError[] {
  const kind = textAt(subject, 'kind')
  const own = subjectParts.find((part) => part.kind === kind)
  if (!own) return [notSupported(`${at}.kind`, kind, ['Group', 'ServiceAccount', 'User'])]
  return [
    ...subjectPart(objectAt(subject, own.key), own.key, kind, `${at}.${own.key}`),
    ...subjectParts
      .filter((part) => part !== own && objectAt(subject, part.key))
      .map((part) =>
        forbidden(`${at}.${part.key}`, `${part.key} is forbidden when subject kind is not '${part.kind}'`),
      ),
  ]
}

function subjectPart(part: Json | undefined, key: string, kind: string, at: string): FieldError[] {
  if (!part) return [required(at, `${key} is required when subject kind is '${kind}'`)]
  const name = textAt(part, 'name')
  const nameless = name === '' ? [required(`${at}.name`)] : []
  if (kind !== 'ServiceAccount') return nameless
  const namespace = textAt(part, 'namespace')
  return [
    ...nameless,
    ...(name === '' || name === '*' ? [] : failing(dnsSubdomain, name, `${at}.name`)),
    ...(namespace === ''
      ? [required(`${at}.namespace`, 'must specify namespace for service account')]
      : failing(dnsLabel, namespace, `${at}.namespace`)),
  ]
}

/** A list where `*` has to stand alone. */
function alone(values: readonly string[], field: string, what: string): FieldError[] {
  if (values.length < 2 || !values.includes('*')) return []
  return [invalid(field, values, `if '*' is present, must not specify other ${what}`)]
}

function verbErrors(given: readonly string[], field: string): FieldError[] {
  if (given.length === 0) return [required(field, 'verbs must contain at least one value')]
  if (given.includes('*')) return alone(given, field, 'verbs')
  return given.every((verb) => verbs.includes(verb)) ? [] : [notSupported(field, given, verbs)]
}

function resourceRule(rule: Json, at: string): FieldError[] {
  const groups = textsAt(rule, 'apiGroups')
  const resources = textsAt(rule, 'resources')
  return [
    ...verbErrors(textsAt(rule, 'verbs'), `${at}.verbs`),
    ...(groups.length === 0 ? [required(`${at}.apiGroups`, 'resource rules must supply at least one api group')] : []),
    ...alone(groups, `${at}.apiGroups`, 'api groups'),
    ...(resources.length === 0
      ? [required(`${at}.resources`, 'resource rules must supply at least one resource')]
      : []),
    ...alone(resources, `${at}.resources`, 'resources'),
    ...ruleNamespaces(textsAt(rule, 'namespaces'), rule['clusterScope'] === true, `${at}.namespaces`),
  ]
}

function ruleNamespaces(names: readonly string[], clusterScope: boolean, field: string): FieldError[] {
  if (names.length === 0 && !clusterScope) {
    return [required(field, 'resource rules that are not cluster scoped must supply at least one namespace')]
  }
  if (names.includes('*')) return alone(names, field, 'namespaces')
  return names.flatMap((name, i) =>
    dnsLabel(name).map((text) =>
      invalid(`${field}[${i}]`, name, `each member of this list must be '*' or a DNS-1123 label; ${text}`),
    ),
  )
}

function urlRule(rule: Json, at: string): FieldError[] {
  const urls = textsAt(rule, 'nonResourceURLs')
  const field = `${at}.nonResourceURLs`
  const errors = verbErrors(textsAt(rule, 'verbs'), `${at}.verbs`)
  if (urls.length === 0) return [...errors, required(field, 'nonResourceURLs must contain at least one value')]
  if (urls.includes('*')) return [...errors, ...alone(urls, field, 'non-resource URLs')]
  return [
    ...errors,
    ...urls.flatMap((url, i) => {
      const text = pathComplaint(url)
      return text === undefined ? [] : [invalid(`${field}[${i}]`, url, text)]
    }),
  ]
}

function pathComplaint(path: string): string | undefined {
  if (path === '') return 'must not be empty'
  if (path === '/') return undefined
  if (!path.startsWith('/')) return 'must start with slash'
  if (path.includes(' ')) return 'must not contain white-space'
  if (path.includes('//')) return 'must not contain double slash'
  const star = path.indexOf('*')
  return star < 0 || (star === path.length - 1 && path.endsWith('/*'))
    ? undefined
    : 'wildcard can only do suffix matching'
}

export const priorityLevel = defineKind({
  status: true,
  generation: ['spec'],
  resetFields,
  validate: (o) => {
    const spec = specOf(o)
    const type = textAt(spec, 'type')
    const misnamed = (o.metadata.name === 'exempt') !== (type === 'Exempt')
    return [
      ...(misnamed ? [invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'")] : []),
      ...levelErrors(spec, type),
    ]
  },
})

function levelErrors(spec: Json, type: string): FieldError[] {
  const exempt = objectAt(spec, 'exempt')
  const limited = objectAt(spec, 'limited')
  if (type === 'Exempt') {
    return [
      ...(limited ? [forbidden('spec.limited', 'must be nil if the type is not Limited')] : []),
      ...(exempt ? shares(exempt, 'spec.exempt') : []),
    ]
  }
  if (type !== 'Limited') return oneOf(type, 'spec.type', ['Exempt', 'Limited'])
  return [
    ...(exempt ? [forbidden('spec.exempt', 'must be nil if the type is Limited')] : []),
    ...(limited ? limitedErrors(limited) : [required('spec.limited', 'must not be empty when type is Limited')]),
  ]
}

function shares(o: Json, at: string): FieldError[] {
  return [...atLeastZero(o, at, 'nominalConcurrencyShares', 'must be a non-negative integer'), ...lendable(o, at)]
}

function limitedErrors(limited: Json): FieldError[] {
  const at = 'spec.limited'
  return [
    ...atLeastZero(limited, at, 'nominalConcurrencyShares', 'must be a non-negative integer'),
    ...response(objectAt(limited, 'limitResponse') ?? {}, `${at}.limitResponse`),
    ...lendable(limited, at),
    ...atLeastZero(limited, at, 'borrowingLimitPercent', 'if specified, must be a non-negative integer'),
  ]
}

function atLeastZero(o: Json, at: string, key: string, text: string): FieldError[] {
  const value = numberAt(o, key) ?? 0
  return value < 0 ? [invalid(`${at}.${key}`, value, text)] : []
}

function lendable(o: Json, at: string): FieldError[] {
  const value = numberAt(o, 'lendablePercent') ?? 0
  if (value >= 0 && value <= 100) return []
  return [invalid(`${at}.lendablePercent`, value, 'must be between 0 and 100, inclusive')]
}

function response(o: Json, at: string): FieldError[] {
  const type = textAt(o, 'type')
  const queuing = objectAt(o, 'queuing')
  if (type === 'Reject') {
    const text = 'must be nil if limited.limitResponse.type is not Limited'
    return queuing ? [forbidden(`${at}.queuing`, text)] : []
  }
  if (type !== 'Queue') return oneOf(type, `${at}.type`, ['Queue', 'Reject'])
  if (queuing) return queues(queuing, `${at}.queuing`)
  return [required(`${at}.queuing`, 'must not be empty if limited.limitResponse.type is Limited')]
}

function queues(o: Json, at: string): FieldError[] {
  const limit = numberAt(o, 'queueLengthLimit') ?? 0
  const count = numberAt(o, 'queues') ?? 0
  return [
    ...(limit <= 0 ? [invalid(`${at}.queueLengthLimit`, limit, 'must be positive')] : []),
    ...(count <= 0 ? [invalid(`${at}.queues`, count, 'must be positive')] : []),
    ...(count > maxQueues ? [invalid(`${at}.queues`, count, `must not be greater than ${maxQueues}`)] : []),
    ...hand(numberAt(o, 'handSize') ?? 0, count, `${at}.handSize`),
  ]
}

function hand(size: number, count: number, field: string): FieldError[] {
  if (size <= 0) return [invalid(field, size, 'must be positive')]
  if (size > count) return [invalid(field, size, `should not be greater than queues (${count})`)]
  if (entropyBits(count, size) <= maxHashBits) return []
  const text = `required entropy bits of deckSize ${count} and handSize ${size} should not be greater than ${maxHashBits}`
  return [invalid(field, size, text)]
}

/** The bits it takes to deal a hand from a deck; dealt no further than it is too many. */
function entropyBits(deck: number, size: number): number {
  let bits = 0
  for (let i = 0; i < size && bits <= maxHashBits; i++) bits += Math.log2(deck - i)
  return Math.ceil(bits)
}
