import { assertNever } from '../base/assert-never.ts'
import type { ApplicationSource } from '../model/application.ts'
import { isArray, isObject } from '../model/json.ts'
import type { Json, JsonObject } from '../model/json.ts'
import type { Cancellable, RenderRequest } from '../model/ports.ts'
import { RenderError, placeText } from './errors.ts'
import type { ManifestMaker } from './manifests.ts'
import { below } from './source-path.ts'
import { decodeText } from './yaml/decode.ts'
import type { YamlReader } from './yaml/read.ts'

/** What a field of an options block must be. */
type Shape = 'text' | 'boolean' | 'map' | 'list of texts' | 'list of maps' | 'list of parameters' | 'any'
type Block = 'directory' | 'kustomize' | 'helm'

const shapes: Readonly<Record<Block, Readonly<Record<string, Shape>>>> = {
  directory: { recurse: 'boolean', include: 'text', exclude: 'text' },
  kustomize: {
    namePrefix: 'text',
    nameSuffix: 'text',
    namespace: 'text',
    images: 'list of texts',
    replicas: 'list of maps',
    components: 'list of texts',
    patches: 'list of maps',
    commonLabels: 'map',
    commonAnnotations: 'map',
    labelWithoutSelector: 'boolean',
    labelIncludeTemplates: 'boolean',
    forceCommonLabels: 'boolean',
    forceCommonAnnotations: 'boolean',
    commonAnnotationsEnvsubst: 'boolean',
  },
  helm: {
    releaseName: 'text',
    namespace: 'text',
    values: 'text',
    kubeVersion: 'text',
    valueFiles: 'list of texts',
    parameters: 'list of parameters',
    fileParameters: 'list of parameters',
    apiVersions: 'list of texts',
    valuesObject: 'any',
    ignoreMissingValueFiles: 'boolean',
    skipCrds: 'boolean',
    skipTests: 'boolean',
    skipSchemaValidation: 'boolean',
    passCredentials: 'boolean',
  },
}

/**
 * The source with what `.argocd-source.yaml` and `.argocd-source-NAME.yaml` beside its files put into it, each a JSON
 * merge patch (Argo CD `mergeSourceParameters`; image updaters write these). Only options can be set, not places.
 * @throws RenderError with the place
 */
export async function overriddenSource(
  { application, source, checkout }: RenderRequest,
  path: string,
  { reader, maker }: { readonly reader: YamlReader; readonly maker: ManifestMaker },
  options: Cancellable,
): Promise<ApplicationSource> {
  const names = ['.argocd-source.yaml']
  if (/^[a-z0-9][a-z0-9.-]*$/.test(application.name)) names.push(`.argocd-source-${application.name}.yaml`)
  let merged = source
  for (const name of names) {
    const file = below(path, name)
    if ((await checkout.treeId(file, options)) === undefined) continue
    const [document] = reader.read(decodeText(await checkout.read(file, options), file), file)
    if (document === undefined) continue
    const refuse = (at: readonly (string | number)[], message: string): never => {
      const place = maker.placeOf(document, at, file)
      throw new RenderError('bad-option', `${placeText(place)}: ${message}`, { place })
    }
    if (!isObject(document.value)) return refuse([], 'a map was expected')
    merged = withBlocks(merged, document.value, refuse)
  }
  return merged
}

type Refuse = (at: readonly (string | number)[], message: string) => never

function withBlocks(source: ApplicationSource, patch: JsonObject, refuse: Refuse): ApplicationSource {
  const merged: Record<string, Json | undefined> = {}
  for (const block of ['directory', 'kustomize', 'helm'] as const) {
    const change = patch[block]
    if (change === undefined) continue
    if (!isObject(change)) return refuse([block], `${block} must be a map`)
    const known = shapes[block]
    for (const [field, value] of Object.entries(change)) {
      const shape = known[field]
      if (shape !== undefined && !fits(shape, value)) refuse([block, field], `${block}.${field} must be a ${shape}`)
    }
    const fields = Object.fromEntries(Object.entries(change).filter(([field]) => Object.hasOwn(known, field)))
    merged[block] = mergePatch(source[block] ?? {}, fields)
  }
  return { ...source, ...(merged as Partial<ApplicationSource>) }
}

function fits(shape: Shape, value: Json | undefined): boolean {
  if (value === null || value === undefined) return true
  switch (shape) {
    case 'any':
      return true
    case 'text':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'map':
      return isObject(value) && Object.values(value).every((each) => typeof each === 'string' || each === null)
    case 'list of texts':
      return isArray(value) && value.every((each) => typeof each === 'string')
    case 'list of maps':
      return isArray(value) && value.every(isObject)
    case 'list of parameters':
      return isArray(value) && value.every(isParameter)
    default:
      return assertNever(shape)
  }
}

function isParameter(value: Json): boolean {
  if (!isObject(value) || typeof value['name'] !== 'string') return false
  return typeof (value['value'] ?? value['path']) === 'string'
}

/** RFC 7396. */
function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch
  const merged: Record<string, Json | undefined> = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete merged[key]
    else merged[key] = mergePatch(merged[key], value)
  }
  return merged
}
