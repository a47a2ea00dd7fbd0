import { isArray, isObject } from '../model/json.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { idOf, resourceKey } from '../model/kubernetes.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { Manifest, Origin, Place } from '../model/manifest.ts'
import type { Path } from '../model/pointer.ts'
import { RenderError, placeText } from './errors.ts'
import { PathPositions } from './yaml/positions.ts'
import type { YamlDocument } from './yaml/read.ts'

/** Where a field of one object is written; undefined where that is not known. */
export type Locator = (path: Path) => Place | undefined

/** Makes manifests of documents, and knows afterwards where each of their fields was written. */
export class ManifestMaker {
  private readonly positions = new PathPositions()
  // Keyed by origin, which survives when a manifest is copied with another id.
  private readonly locators = new WeakMap<Origin, Locator>()

  /**
   * The objects of a document, Lists taken apart.
   * @throws RenderError `not-an-object`, `bad-metadata`, with the place
   */
  fromDocument(document: YamlDocument, file: string): readonly Manifest[] {
    return flatten(document.value, []).map(({ value, prefix }) => {
      const start = prefix.length === 0 ? document.start : this.placeOf(document, prefix, file)
      const origin = { file, document: document.index, start: { line: start.line, column: start.column }, exact: true }
      const locator = (path: Path): Place => this.placeOf(document, [...prefix, ...path], file)
      this.locators.set(origin, locator)
      return this.fromObject(value, origin, locator)
    })
  }

  /**
   * The objects of a document that a tool made.
   * @param locatorOf finds their fields in the texts that they were made from, as far as that is known
   * @throws RenderError `not-an-object`, `bad-metadata`, at the origin
   */
  fromTool(value: Json, origin: Origin, locatorOf?: (object: KubeObject) => Locator): readonly Manifest[] {
    return flatten(value, []).map((each) => {
      const own = { ...origin }
      const manifest = this.fromObject(each.value, own, () => ({ file: origin.file, ...origin.start }))
      if (locatorOf !== undefined) this.locators.set(own, locatorOf(manifest.object))
      return manifest
    })
  }

  /** The field's place, or that of the nearest ancestor which is written. */
  locate(origin: Origin, path: Path): Place {
    return this.locators.get(origin)?.(path) ?? { file: origin.file, ...origin.start }
  }

  /** Where a path stands in a document, or its nearest ancestor that is written. */
  placeOf(document: YamlDocument, path: Path, file: string): Place {
    const found = this.positions.find(document.chunk, document.within, path)
    return { file, ...(found?.position ?? document.start) }
  }

  private fromObject(value: Json, origin: Origin, placeAt: (path: Path) => Place): Manifest {
    const object = checkedObject(value, placeAt)
    const id = idOf(object)
    // An object with generateName has no name until the server gives it one.
    return { id: { ...id, name: object.metadata.name ?? '' }, object, origin }
  }
}

/** @throws RenderError `duplicate-object` naming both places */
export function refuseDuplicates(manifests: readonly Manifest[]): void {
  const seen = new Map<string, Manifest>()
  for (const manifest of manifests) {
    if (manifest.id.name === '') continue
    const key = resourceKey(manifest.id)
    const earlier = seen.get(key)
    if (earlier === undefined) {
      seen.set(key, manifest)
      continue
    }
    const place = startOf(manifest)
    const { kind, namespace, name } = manifest.id
    const where = [earlier, manifest].map((each) => {
      const at = startOf(each)
      return at === undefined ? 'a generated document' : placeText(at)
    })
    throw new RenderError(
      'duplicate-object',
      `${kind} ${namespace === '' ? '' : `${namespace}/`}${name} is defined twice: at ${where.join(' and at ')}`,
      place === undefined ? {} : { place },
    )
  }
}

function startOf({ origin }: Manifest): Place | undefined {
  return origin === undefined ? undefined : { file: origin.file, ...origin.start }
}

/** kubectl takes apart whatever has `items`; only kinds that end in List are meant here, a custom resource may have items too. */
function flatten(value: Json, prefix: Path): readonly { readonly value: Json; readonly prefix: Path }[] {
  if (!isObject(value)) return [{ value, prefix }]
  const { kind, items } = value
  if (typeof kind !== 'string' || !kind.endsWith('List') || !(isArray(items) || items === null))
    return [{ value, prefix }]
  return (items ?? []).flatMap((item, index) => flatten(withListKind(item, value, kind), [...prefix, 'items', index]))
}

/** Items of a typed list may leave out what the list says (apimachinery `unstructured/helpers.go`). */
function withListKind(item: Json, list: JsonObject, kind: string): Json {
  if (kind === 'List' || !isObject(item) || typeof item['kind'] === 'string') return item
  return { apiVersion: list['apiVersion'], ...item, kind: kind.slice(0, -'List'.length) }
}

function checkedObject(value: Json, placeAt: (path: Path) => Place): KubeObject {
  const refuse = (reason: 'not-an-object' | 'bad-metadata', path: Path, message: string): never => {
    const place = placeAt(path)
    throw new RenderError(reason, `${placeText(place)}: ${message}`, { place })
  }
  if (!isObject(value)) return refuse('not-an-object', [], 'a Kubernetes object (a map) was expected')
  for (const field of ['apiVersion', 'kind'] as const) {
    const word = value[field]
    if (word === undefined || word === null || word === '') refuse('not-an-object', [], `the object has no ${field}`)
    if (typeof word !== 'string') refuse('not-an-object', [field], `${field} must be text`)
  }
  const metadata = value['metadata']
  if (!isObject(metadata)) return refuse('not-an-object', ['metadata'], 'the object has no metadata with a name')
  checkMetadata(metadata, (path, message) => refuse('bad-metadata', ['metadata', ...path], message))
  const cleaned = withoutNulls(metadata)
  return (cleaned === metadata ? value : { ...value, metadata: cleaned }) as KubeObject
}

function checkMetadata(metadata: JsonObject, refuse: (path: Path, message: string) => never): void {
  const hasGenerated = typeof metadata['generateName'] === 'string' && metadata['generateName'] !== ''
  const { name } = metadata
  if ((name === undefined || name === null || name === '') && !hasGenerated) refuse([], 'metadata.name is missing')
  for (const field of ['name', 'namespace', 'generateName']) {
    const text = metadata[field]
    if (text !== undefined && text !== null && typeof text !== 'string')
      refuse([field], notText(`metadata.${field}`, text))
  }
  for (const field of ['labels', 'annotations']) {
    const map = metadata[field]
    if (map === undefined || map === null) continue
    if (!isObject(map)) return refuse([field], `metadata.${field} must be a map of text to text`)
    for (const [key, text] of Object.entries(map)) {
      if (text === null || typeof text === 'string') continue
      refuse([field, key], notText(`the value of metadata.${field} "${key}"`, text))
    }
  }
}

function notText(what: string, value: Json | undefined): string {
  if (typeof value === 'object') return `${what} must be text`
  return `${what} must be text, but YAML reads it as ${typeof value === 'boolean' ? 'the boolean' : 'the number'} ${String(value)}; quote it`
}

const optionalFields = ['name', 'namespace', 'generateName', 'labels', 'annotations', 'finalizers', 'ownerReferences']

/** A null there says the same as no field at all, and spares everybody else the question. */
function withoutNulls(metadata: JsonObject): JsonObject {
  const nulls = optionalFields.filter((field) => metadata[field] === null)
  if (nulls.length === 0) return metadata
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !nulls.includes(key)))
}
