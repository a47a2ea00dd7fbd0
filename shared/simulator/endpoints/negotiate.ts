import { StatusError, generic } from '../errors.ts'

/** What a client wants to be answered with. */
export interface Wanted {
  readonly format: 'json' | 'yaml'
  /** The transformation asked for, with the version of its group. */
  readonly as?: { readonly kind: string; readonly group: string; readonly version: string }
  readonly pretty: boolean
}

/** What kind of endpoint refuses: each words it in its own way. */
export interface Route {
  readonly custom?: boolean
  /** Lists can be watched. */
  readonly streams?: boolean
}

interface MediaRange {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
  readonly quality: number
}

const formats: ReadonlyMap<string, 'json' | 'yaml'> = new Map([
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['*/*', 'json'],
])

/** The first acceptable media range, best quality first. `transforms` lists the kinds that may be asked for as `as=`. */
export function negotiate(accept: string | undefined, transforms: readonly string[], route: Route = {}): Wanted {
  const ranges = parseAccept(accept ?? '')
  if (ranges.length === 0) return { format: 'json', pretty: false }
  for (const range of ranges) {
    const format = formatOf(range.type, route)
    if (format === undefined) continue
    const pretty = range.parameters.get('pretty') === '1'
    const kind = range.parameters.get('as')
    if (kind === undefined) return { format, pretty }
    const group = range.parameters.get('g') ?? ''
    const version = range.parameters.get('v') ?? ''
    if (transforms.includes(`${kind}.${version}.${group}`)) return { format, as: { kind, group, version }, pretty }
  }
  throw notAcceptable(
    ranges.some(({ type }) => formatOf(type, route) !== undefined),
    route,
  )
}

/** Custom resources are routed by no media type, so that a range of them will do. */
function formatOf(type: string, { custom = false }: Route): 'json' | 'yaml' | undefined {
  return custom && type === 'application/*' ? 'json' : formats.get(type)
}

function notAcceptable(knownType: boolean, { custom = false, streams = false }: Route): StatusError {
  if (knownType || custom) {
    const types = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']
    return new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${types.join(', ')}`)
  }
  const plain = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'
  const streamed = ', application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch'
  return generic(
    406,
    'NotAcceptable',
    `406: Not Acceptable\n\nAvailable representations: ${plain}${streams ? streamed : ''}`,
  )
}

function parseAccept(header: string): MediaRange[] {
  return header
    .split(',')
    .map((text) => parseRange(text))
    .filter((range): range is MediaRange => range !== undefined)
    .sort((a, b) => b.quality - a.quality)
}

function parseRange(text: string): MediaRange | undefined {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim())
  if (type === '') return undefined
  const parameters = new Map<string, string>()
  for (const part of rest) {
    const equals = part.indexOf('=')
    if (equals > 0) parameters.set(part.slice(0, equals).toLowerCase(), part.slice(equals + 1).replaceAll('"', ''))
  }
  const quality = Number(parameters.get('q') ?? '1')
  return { type: type.toLowerCase(), parameters, quality: Number.isFinite(quality) ? quality : 0 }
}
