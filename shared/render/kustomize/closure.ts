import { isObject } from '../../model/json.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Place } from '../../model/manifest.ts'
import type { Cancellable, Checkout } from '../../model/ports.ts'
import type { Path } from '../../model/pointer.ts'
import { kustomizationNames } from '../detect.ts'
import { RenderError, placeText } from '../errors.ts'
import type { ManifestMaker } from '../manifests.ts'
import { below, repositoryPath } from '../source-path.ts'
import { decodeText } from '../yaml/decode.ts'
import type { YamlDocument, YamlReader } from '../yaml/read.ts'
import { hasPlugins, looksRemote, referencesOf } from './references.ts'

/** A kustomization file as it was read. */
export type KustomizationFile = {
  readonly folder: string
  readonly file: string
  readonly text: string
  readonly document: YamlDocument | undefined
  readonly content: JsonObject
}

/** Everything that building a kustomization reads, found before it is built. */
export type Closure = {
  readonly root: KustomizationFile
  /** Existing files and folders that the build needs. */
  readonly present: ReadonlySet<string>
  /** Paths whose coming into being would change the build. */
  readonly absent: ReadonlySet<string>
  /** All kustomizations by their folders, the root first, each before its bases. */
  readonly kustomizations: ReadonlyMap<string, KustomizationFile>
  readonly remote: readonly string[]
}

type Context = {
  readonly checkout: Checkout
  readonly reader: YamlReader
  readonly maker: ManifestMaker
  readonly allowRemoteBases: boolean
  readonly options: Cancellable
}
type Draft = {
  readonly present: Set<string>
  readonly absent: Set<string>
  readonly kustomizations: Map<string, KustomizationFile>
  readonly remote: string[]
}

/** More kustomizations than any person keeps; a bound on hostile ones. */
const maxKustomizations = 2000

/**
 * Follows a kustomization to everything that it reads, in the whole repository.
 * @param edited what the application's options make of the root's content
 * @throws RenderError `remote-base`, `path-missing`, `path-outside`, with the place that names it
 */
export async function closureOf(
  folder: string,
  edited: (content: JsonObject) => JsonObject,
  context: Context,
): Promise<Closure> {
  const draft: Draft = { present: new Set(), absent: new Set(), kustomizations: new Map(), remote: [] }
  const root = await readKustomization(folder, draft, context)
  if (root === undefined) {
    throw new RenderError('path-missing', `${folder === '' ? 'the repository' : folder} has no kustomization.yaml`)
  }
  await follow(root, edited(root.content), draft, context)
  return { root, ...draft }
}

async function visit(folder: string, draft: Draft, context: Context): Promise<void> {
  if (draft.kustomizations.has(folder)) return
  const file = await readKustomization(folder, draft, context)
  if (file !== undefined) await follow(file, file.content, draft, context)
}

/** @param content what the file says, with the application's options where it is the root */
async function follow(file: KustomizationFile, content: JsonObject, draft: Draft, context: Context): Promise<void> {
  const { folder } = file
  draft.kustomizations.set(folder, file)
  if (draft.kustomizations.size > maxKustomizations) {
    throw new RenderError('too-large', `more than ${maxKustomizations} kustomizations belong to one application`)
  }
  if (hasPlugins(content)) draft.present.add(folder)
  for (const { at, target, mayBeFolder } of referencesOf(content)) {
    const place = placeIn(file, at, context)
    const path = await localPath(folder, target, { ...context, place })
    if (path === undefined) {
      refuse(target, { place, field: String(at[0]) }, draft, context)
      continue
    }
    if (mayBeFolder && (await hasKustomization(path, context))) await visit(path, draft, context)
    else draft.present.add(path)
  }
}

/** Undefined where the repository has no such path. */
async function localPath(
  folder: string,
  target: string,
  { checkout, options, place }: Context & { readonly place: Place },
): Promise<string | undefined> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(target)) return undefined
  let path: string
  try {
    path = repositoryPath(target, folder, placeText(place))
  } catch (error) {
    if (looksRemote(target)) return undefined
    throw RenderError.is(error) ? new RenderError(error.reason, error.message, { place, cause: error }) : error
  }
  return (await checkout.treeId(path, options)) === undefined ? undefined : path
}

function placeIn({ document, file }: KustomizationFile, at: Path, { maker }: Context): Place {
  return document === undefined ? { file, line: 1, column: 1 } : maker.placeOf(document, at, file)
}

function refuse(
  target: string,
  { place, field }: { readonly place: Place; readonly field: string },
  draft: Draft,
  context: Context,
): void {
  if (!looksRemote(target)) {
    throw new RenderError('path-missing', `${placeText(place)}: ${field} names ${target}, which does not exist`, {
      place,
    })
  }
  if (!context.allowRemoteBases) {
    throw new RenderError(
      'remote-base',
      `${placeText(place)}: ${field} names ${target}, which would be fetched from the network; vendor it, or allow remote bases (plumbline.render.allowRemoteBases)`,
      { place },
    )
  }
  draft.remote.push(target)
}

async function hasKustomization(path: string, { checkout, options }: Context): Promise<boolean> {
  const ids = await Promise.all(kustomizationNames.map((name) => checkout.treeId(below(path, name), options)))
  return ids.some((id) => id !== undefined)
}

async function readKustomization(
  folder: string,
  draft: Draft,
  context: Context,
): Promise<KustomizationFile | undefined> {
  const { checkout, reader, options } = context
  let found: KustomizationFile | undefined
  for (const name of kustomizationNames) {
    const file = below(folder, name)
    if ((await checkout.treeId(file, options)) === undefined) {
      draft.absent.add(file)
      continue
    }
    draft.present.add(file)
    if (found !== undefined)
      throw new RenderError('bad-option', `${found.file} and ${file}: a folder can have one of them`)
    const text = decodeText(await checkout.read(file, options), file)
    const [document] = reader.read(text, file)
    const content = document?.value ?? {}
    if (!isObject(content)) {
      const place = { file, ...(document?.start ?? { line: 1, column: 1 }) }
      throw new RenderError('not-an-object', `${placeText(place)}: a kustomization (a map) was expected`, { place })
    }
    found = { folder, file, text, document, content }
  }
  return found
}
