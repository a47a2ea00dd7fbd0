import type { Answer, Json } from './differential-step.ts'

/** An answer with what every server makes up by itself replaced by a word for it. */
export interface NormalAnswer {
  readonly status: number
  readonly media: string
  readonly body: Json
  readonly warnings: readonly string[]
}

export interface Difference {
  /** What a program sees: status, media type, body without messages. */
  readonly body: readonly string[]
  /** What a person reads: messages and warnings. */
  readonly messages: readonly string[]
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/u
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu
// A server may leave these out, or was built elsewhere.
const DROPPED = new Set([
  'selfLink',
  'remainingItemCount',
  'goVersion',
  'gitTreeState',
  'gitCommit',
  'buildDate',
  'platform',
])
// Sets by meaning, though written as lists.
const UNORDERED = new Set(['managedFields', 'causes'])

export function normalAnswer(answer: Answer, namespace: string): NormalAnswer {
  return {
    status: answer.status,
    media: answer.media,
    body: inOneOrder(normal(answer.body, '', '', namespace)),
    warnings: answer.warnings.map((text) => normalText(text, namespace)),
  }
}

/**
 * Go walks its maps in an order of its own each time, and kube-apiserver tells what it finds on the way: the problems of a custom
 * resource, those of labels, data and other maps of names, and those of an apply whose values do not fit their types. What is said
 * stays, its order does not count.
 */
function inOneOrder(body: Json): Json {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body
  const fields = body as { readonly [key: string]: Json }
  const { message, details } = fields
  if (typeof message !== 'string') return body
  return { ...fields, message: problemsInOrder(problemsOfTypes(message), causesOf(details)) }
}

interface Problem {
  readonly field: string
  readonly text: string
}

function causesOf(details: Json | undefined): { readonly problems: readonly Problem[]; readonly custom: boolean } {
  const { causes, group } = (details ?? {}) as { readonly [key: string]: Json }
  const problems = (Array.isArray(causes) ? causes : []).map((cause) => ({
    field: String(cause.field),
    text: `${String(cause.field)}: ${String(cause.message)}`,
  }))
  return { problems, custom: group === 'diff.example.com' }
}

/** Fields that hold maps of names, whose entries are judged one after the other. */
const maps: ReadonlySet<string> = new Set([
  'metadata.labels',
  'metadata.annotations',
  'data',
  'binaryData',
  'parameters',
])

/** `Gadget "one" is invalid: [a, b]`, where a and b are the causes: in one order what comes from maps. */
function problemsInOrder(
  message: string,
  { problems, custom }: { readonly problems: readonly Problem[]; readonly custom: boolean },
): string {
  const [, head, list] = /^(.*? is invalid: )\[(.*)\]$/su.exec(message) ?? []
  if (head === undefined || list === undefined) return message
  const found = [...new Map(problems.map((problem) => [problem.text, problem])).values()]
    .filter(({ text }) => list.includes(text))
    .sort((a, b) => list.indexOf(a.text) - list.indexOf(b.text))
  const left = found.reduce((text, problem) => text.replace(problem.text, ''), list)
  if (!/^(?:, )*$/u.test(left)) return message
  const rootOf = ({ field }: Problem): string => (custom ? '' : (field.split('[')[0] ?? ''))
  const ordered: Problem[] = []
  for (let from = 0; from < found.length;) {
    const first = found[from]
    const root = first === undefined ? '' : rootOf(first)
    let to = from + 1
    while (to < found.length && found[to] !== undefined && rootOf(found[to] as Problem) === root) to++
    const run = found.slice(from, to)
    if (custom || maps.has(root)) run.sort((a, b) => (a.text < b.text ? -1 : 1))
    ordered.push(...run)
    from = to
  }
  return `${head}[${ordered.map(({ text }) => text).join(', ')}]`
}

/** The map whose walk a line ends. */
function endOf(line: string): string | undefined {
  return /^(.*)\.[^.]+: field not declared in schema$/u.exec(line)?.[1]
}

/** `...: errors:\n  .a: x\n  .b: y`; the walk over a map ends at a field that is not declared, wherever it comes to it. */
function problemsOfTypes(message: string): string {
  const at = message.indexOf('errors:\n  ')
  const head = at < 0 ? /^failed to create typed patch object \([^)]*\): /u.exec(message)?.[0] : message.slice(0, at)
  if (head === undefined) return message
  const lines = message
    .slice(head.length)
    .replace(/^errors:\n/u, '')
    .split('\n')
    .map((line) => line.trim())
  const ends = lines.flatMap((line) => endOf(line) ?? [])
  const sure = lines.filter((line) => !ends.some((end) => line.startsWith(`${end}.`) && endOf(line) !== end))
  return `${head}${sure.sort().join('\n')}`
}

export function differenceOf(expected: NormalAnswer, got: NormalAnswer): Difference | undefined {
  const found: string[] = []
  compare(expected.status, got.status, '/status', found)
  compare(expected.media, got.media, '/media', found)
  compare(expected.body, got.body, '', found)
  const messages = found.filter((line) => /\/message\b/u.test(line.split(' ')[1] ?? ''))
  compare(expected.warnings, got.warnings, '/warnings', messages)
  const body = found.filter((line) => !messages.includes(line))
  return body.length + messages.length === 0 ? undefined : { body, messages }
}

function normal(value: Json, key: string, path: string, namespace: string): Json {
  if (Array.isArray(value)) {
    const items = value.map((item: Json, index) => normal(item, '', `${path}/${index}`, namespace))
    return UNORDERED.has(key) ? items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : items
  }
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      // What a column of a table is about is prose, which is not carried.
      .filter(([name]) => !DROPPED.has(name) && !(name === 'description' && path.includes('/columnDefinitions/')))
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(
      entries.map(([name, item]) => [normalText(name, namespace), normal(item, name, `${path}/${name}`, namespace)]),
    )
  }
  if (typeof value === 'number' && /^(?:nodePort|healthCheckNodePort)$/u.test(key) && value >= 30_000)
    return '<nodePort>'
  return typeof value === 'string' ? normalString(value, key, path, namespace) : value
}

function normalString(value: string, key: string, path: string, namespace: string): string {
  if (key === 'uid' && value !== '') return '<uid>'
  if (key === 'resourceVersion') return value === '' || value === '0' ? value : '<rv>'
  if (key === 'continue') return value === '' ? '' : '<continue>'
  if ((key === 'clusterIP' || /\/clusterIPs\/\d+$/u.test(path)) && /^(?:10|fd00)[.:]/u.test(value)) return '<ip>'
  if (/\/cells\/\d+$/u.test(path) && /^10\.0\.\d+\.\d+$/u.test(value)) return '<ip>'
  if (TIME.test(value)) return '<time>'
  // A service's ports, with those of the node that are picked at random.
  if (/\/cells\/\d+$/u.test(path) && /^\d+:3\d{4}\//u.test(value))
    return value.replaceAll(/:3\d{4}\//gu, ':<nodePort>/')
  // How old a thing is when it is printed: the servers are not asked within the same second.
  if (/\/cells\/\d+$/u.test(path) && /^\d+s$/u.test(value)) return '<age>'
  return normalText(value, namespace)
}

function normalText(text: string, namespace: string): string {
  const named = namespace === '' ? text : text.replaceAll(namespace, '<ns>')
  return (
    named
      .replace(UID, '<uid>')
      .replaceAll(/(\\*"resourceVersion\\*":\\*")\d+/gu, '$1<rv>')
      .replaceAll(/(resourceVersion: )"\d+"/gu, '$1"<rv>"')
      .replaceAll(/\b192\.0\.2\.2:\d+/gu, '<server>')
      // What the server allocates by chance, where a message shows it.
      .replaceAll(/(?<![\d.])10\.0\.\d{1,3}\.\d{1,3}(?![\d./])/gu, '<ip>')
      .replaceAll(/(nodePort\\*"?: ?(?:Duplicate value: )?|^Duplicate value: )3\d{4}\b/giu, '$1<nodePort>')
      // How much a server has written is its own affair.
      .replaceAll(/(Too large resource version: .*, current: )\d+/gu, '$1<rv>')
      .replaceAll(/(ResourceVersion in (?:precondition|object meta)): \d+/gu, '$1: <rv>')
      .replaceAll(/(ResourceVersion in (?:the precondition|record)) \(\d{2,}\)/gu, '$1 (<rv>)')
      .replaceAll(/(too old resource version|resource version): \d+(?: \(\d+\))?/gu, '$1: <rv>')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu, '<time>')
  )
}

function compare(expected: unknown, got: unknown, path: string, out: string[]): void {
  if (out.length > 12) return
  if (isTree(expected) && isTree(got) && Array.isArray(expected) === Array.isArray(got)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      const here = `${path}/${key}`
      if (!Object.hasOwn(expected, key)) out.push(`+ ${here} = ${shown(got[key])}`)
      else if (!Object.hasOwn(got, key)) out.push(`- ${here} = ${shown(expected[key])}`)
      else compare(expected[key], got[key], here, out)
    }
  } else if (JSON.stringify(expected) !== JSON.stringify(got)) {
    out.push(`~ ${path} expected ${shown(expected)} got ${shown(got)}`)
  }
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object'
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 400) ?? 'undefined'
}
