import { canonicalJson, isArray, isObject, valueAt } from '../../model/json.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import type { Place } from '../../model/manifest.ts'
import type { Cancellable, Checkout } from '../../model/ports.ts'
import { fromPointer } from '../../model/pointer.ts'
import type { Path } from '../../model/pointer.ts'
import { alignPath } from '../align.ts'
import type { ManifestMaker } from '../manifests.ts'
import { repositoryPath } from '../source-path.ts'
import { textAt } from '../text-at.ts'
import { nameOf } from '../traced-origin.ts'
import { decodeText } from '../yaml/decode.ts'
import type { YamlDocument, YamlReader } from '../yaml/read.ts'
import type { KustomizationFile } from './closure.ts'
import { listOf } from './edit.ts'
import { placeOfTransformer } from './transformers.ts'

/** Something in a kustomization that sets fields: where it sets this one, if it does. */
export type FieldSetter = (object: KubeObject, path: Path) => Place | undefined

type Context = { readonly checkout: Checkout; readonly reader: YamlReader; readonly maker: ManifestMaker }

/**
 * What sets fields of objects in the kustomizations of a build, strongest first: what an overlay does comes after what
 * its bases did, and in one kustomization the transformers come after the patches, the last patch first.
 * @param files outermost first
 */
export async function fieldSetters(
  files: readonly KustomizationFile[],
  context: Context,
  options: Cancellable,
): Promise<readonly FieldSetter[]> {
  const setters: FieldSetter[] = []
  for (const kustomization of files) {
    const { document, file } = kustomization
    if (document === undefined) continue
    setters.push((object, path) => {
      const at = placeOfTransformer(kustomization.content, object, path)
      return at === undefined ? undefined : context.maker.placeOf(document, at, file)
    })
    const patches: FieldSetter[] = []
    for (const patch of patchesOf(kustomization.content)) {
      patches.push(...(await settersOf(patch, { ...kustomization, document }, context, options)))
    }
    setters.push(...patches.toReversed())
  }
  return setters
}

type Patch = { readonly at: Path; readonly path: string; readonly inline: string; readonly target: Json | undefined }

function patchesOf(content: JsonObject): readonly Patch[] {
  const merges = listOf(content['patchesStrategicMerge']).map((each, index) => {
    const text = typeof each === 'string' ? each : ''
    const inline = text.includes('\n')
    return {
      at: ['patchesStrategicMerge', index],
      path: inline ? '' : text,
      inline: inline ? text : '',
      target: undefined,
    }
  })
  const others = ['patches', 'patchesJson6902'].flatMap((field) =>
    listOf(content[field]).map((each, index) => ({
      at: [field, index],
      path: textAt(each, ['path']),
      inline: textAt(each, ['patch']),
      target: valueAt(each, ['target']),
    })),
  )
  return [...merges, ...others]
}

type Owner = { readonly file: string; readonly folder: string; readonly document: YamlDocument }

async function settersOf(
  patch: Patch,
  owner: Owner,
  context: Context,
  options: Cancellable,
): Promise<readonly FieldSetter[]> {
  const { reader, maker, checkout } = context
  try {
    if (patch.inline !== '') {
      // Positions inside of a text in a text are not known; the patch's own place is.
      const place = (): Place => maker.placeOf(owner.document, patch.at, owner.file)
      return reader.read(patch.inline, owner.file).map(({ value }) => setterOf(value, patch.target, place))
    }
    const file = repositoryPath(patch.path, owner.folder, 'kustomization')
    const text = decodeText(await checkout.read(file, options), file)
    return reader
      .read(text, file)
      .map((document) => setterOf(document.value, patch.target, (at) => maker.placeOf(document, at, file)))
  } catch {
    // A place is a help, not a condition: kustomize itself has read the patch.
    return []
  }
}

function setterOf(patch: Json, target: Json | undefined, placeAt: (path: Path) => Place): FieldSetter {
  return (object, path) => {
    if (!isMeant(target ?? (isObject(patch) ? { kind: patch['kind'], name: nameOf(patch) } : undefined), object))
      return undefined
    const at = isArray(patch) ? inOperations(patch, path) : inMerge(patch, object, path)
    // What a stronger one has set again is not from here.
    if (at === undefined || !isSame(valueAt(patch, at), valueAt(object, path))) return undefined
    return placeAt(at)
  }
}

/** A target may hold patterns; only plain names are compared, and prefixes and suffixes may have been added to them. */
function isMeant(target: Json | undefined, object: KubeObject): boolean {
  const kind = textAt(target, ['kind'])
  const name = textAt(target, ['name'])
  if (kind !== '' && kind !== object.kind) return false
  return !/^[\w.-]*$/.test(name) || nameOf(object).includes(name)
}

function isSame(set: Json | undefined, made: Json | undefined): boolean {
  return set !== undefined && canonicalJson(set) === canonicalJson(made)
}

function inMerge(patch: Json, object: KubeObject, path: Path): Path | undefined {
  const aligned = alignPath(object, path, patch)
  return aligned.whole && path.length > 0 ? aligned.path : undefined
}

function inOperations(operations: readonly Json[], path: Path): Path | undefined {
  const steps = path.map(String)
  const index = operations.findLastIndex((operation) => {
    const pointer = fromPointer(textAt(operation, ['path']))
    return pointer.length > 0 && pointer.length <= steps.length && pointer.every((step, at) => step === steps[at])
  })
  if (index < 0) return undefined
  const set = fromPointer(textAt(operations[index], ['path'])).length
  return [index, 'value', ...path.slice(set)]
}
