import { isArray, isObject, valueAt } from '../../model/json.ts'
import type { Json } from '../../model/json.ts'
import type { Position } from '../../model/manifest.ts'
import type { Cancellable, Checkout } from '../../model/ports.ts'
import type { ManifestMaker } from '../manifests.ts'
import { repositoryPath } from '../source-path.ts'
import { textAt } from '../text-at.ts'
import { documentOf, nameOf, originAt, originOf } from '../traced-origin.ts'
import type { TracedOrigin } from '../traced-origin.ts'
import { decodeText } from '../yaml/decode.ts'
import type { YamlDocument, YamlReader } from '../yaml/read.ts'

/** kustomize's word for where an object came from (`api/internal/utils/annotations.go`). */
const originAnnotation = 'config.kubernetes.io/origin'

type Context = { readonly checkout: Checkout; readonly reader: YamlReader; readonly maker: ManifestMaker }

/** Finds, for objects that kustomize wrote, the documents that they were made from. */
export class OriginTracer {
  private readonly files = new Map<string, Promise<readonly YamlDocument[]>>()
  private readonly folder: string
  private readonly rootFile: string
  private readonly context: Context

  /** @param folder the kustomization that was built; origins are relative to it */
  constructor(folder: string, rootFile: string, context: Context) {
    this.folder = folder
    this.rootFile = rootFile
    this.context = context
  }

  async trace(object: Json, options: Cancellable): Promise<TracedOrigin> {
    const annotation = valueAt(object, ['metadata', 'annotations', originAnnotation])
    const said = typeof annotation === 'string' ? fieldsOf(annotation) : {}
    const path = said['path'] ?? said['configuredIn']
    if (path === undefined || said['repo'] !== undefined) return originAt(this.rootFile, 0, { line: 1, column: 1 })
    const file = repositoryPath(path, this.folder, 'kustomize')
    const documents = await this.read(file, options)
    const generated = said['path'] === undefined ? this.generatorOf(documents[0], object, file) : undefined
    if (generated !== undefined) return originAt(file, 0, generated)
    const source = documentOf(documents, object)
    if (source === undefined) return originAt(file, 0, documents[0]?.start ?? { line: 1, column: 1 })
    return originOf(file, source)
  }

  private read(file: string, options: Cancellable): Promise<readonly YamlDocument[]> {
    const known = this.files.get(file)
    if (known !== undefined) return known
    const { checkout, reader } = this.context
    const reading = checkout
      .read(file, options)
      .then((bytes) => reader.read(decodeText(bytes, file), file))
      // A place is a help, not a condition: what kustomize could read stays rendered.
      .catch(() => [])
    this.files.set(file, reading)
    return reading
  }

  /** Where a generator stands in its kustomization. */
  private generatorOf(document: YamlDocument | undefined, object: Json, file: string): Position | undefined {
    if (document === undefined) return undefined
    const name = nameOf(object)
    const field = valueAt(object, ['kind']) === 'Secret' ? 'secretGenerator' : 'configMapGenerator'
    const generators = valueAt(document.value, [field])
    if (!isArray(generators)) return undefined
    const index = generators.findIndex((each) => name.includes(textAt(each, ['name'])))
    if (index < 0) return undefined
    const { line, column } = this.context.maker.placeOf(document, [field, index], file)
    return { line, column }
  }
}

/** The object without what was put into it to find its origin. */
export function withoutOrigin(object: Json): Json {
  if (!isObject(object) || !isObject(object['metadata'])) return object
  const { annotations } = object['metadata']
  if (!isObject(annotations) || annotations[originAnnotation] === undefined) return object
  const { [originAnnotation]: _, ...others } = annotations
  const { annotations: __, ...metadata } = object['metadata']
  if (Object.keys(others).length === 0) return { ...object, metadata }
  return { ...object, metadata: { ...metadata, annotations: others } }
}

/** The annotation is a flat YAML map of paths and names. */
function fieldsOf(annotation: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {}
  for (const [, key = '', value = ''] of annotation.matchAll(/^(\w+): *(\S.*)$/gm)) {
    fields[key] = value.replaceAll(/^(["'])(.*)\1$/g, '$2')
  }
  return fields
}
