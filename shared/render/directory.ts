import type { DirectorySource } from '../model/application.ts'
import { isObject } from '../model/json.ts'
import type { Manifest } from '../model/manifest.ts'
import type { Cancellable, Checkout, FileEntry } from '../model/ports.ts'
import { RenderError } from './errors.ts'
import { compileGlob } from './globs.ts'
import type { ManifestMaker } from './manifests.ts'
import { checkSize, decodeText } from './yaml/decode.ts'
import type { YamlDocument, YamlReader } from './yaml/read.ts'

export type DirectoryResult = { readonly manifests: readonly Manifest[]; readonly warnings: readonly string[] }

/** Bytes of all manifest files of one application together. */
const maxCombinedBytes = 64 * 1024 * 1024
const filesAtOnce = 32
/** Argo CD's word in a file that looks like a manifest and is none (reposerver `skipFileRenderingMarker`). */
const skipMarker = '+argocd:skip-file-rendering'

/**
 * The files that a directory source means, as Argo CD picks them (`getPotentiallyValidManifests`).
 * @throws RenderError `bad-option`, `path-missing`
 */
export async function selectFiles(
  checkout: Checkout,
  path: string,
  source: DirectorySource,
  options: Cancellable,
): Promise<readonly FileEntry[]> {
  const include = globOption('include', source.include)
  const exclude = globOption('exclude', source.exclude)
  const entries = await checkout.list(path, options)
  if (entries.length === 1 && entries[0]?.path === path) {
    throw new RenderError('path-missing', `${path} is a file; the source's path must name a folder`)
  }
  return entries.filter((entry) => {
    const relative = path === '' ? entry.path : entry.path.slice(path.length + 1)
    if (entry.kind === 'submodule' || !/\.(?:yaml|yml|json|jsonnet)$/.test(relative)) return false
    if (source.recurse !== true && relative.includes('/')) return false
    return !(exclude?.(relative) ?? false) && (include?.(relative) ?? true)
  })
}

function globOption(field: string, glob: string | undefined): ((text: string) => boolean) | undefined {
  if (glob === undefined || glob === '') return undefined
  const match = compileGlob(glob)
  if (match === undefined) throw new RenderError('bad-option', `directory.${field}: "${glob}" is not a valid glob`)
  return match
}

/** Reads all objects of a folder's files. @throws RenderError */
export async function renderDirectory(
  { checkout, files }: { readonly checkout: Checkout; readonly files: readonly FileEntry[] },
  { reader, maker }: { readonly reader: YamlReader; readonly maker: ManifestMaker },
  options: Cancellable,
): Promise<DirectoryResult> {
  const manifests: Manifest[] = []
  const warnings: string[] = []
  for (let at = 0; at < files.length; at += filesAtOnce) {
    const batch = files.slice(at, at + filesAtOnce)
    for (const { size, path } of batch) if (size !== undefined) checkSize(size, path)
    const texts = await Promise.all(batch.map((entry) => readEntry(checkout, entry, options)))
    for (const [index, { path }] of batch.entries()) {
      const read = readFile(texts[index], path, reader)
      if (typeof read === 'string') warnings.push(read)
      else for (const document of read) manifests.push(...maker.fromDocument(document, path))
    }
  }
  return { manifests, warnings }
}

/** @returns undefined where a link leads to no file */
async function readEntry(checkout: Checkout, entry: FileEntry, options: Cancellable): Promise<Uint8Array | undefined> {
  try {
    return await checkout.read(entry.path, options)
  } catch (error) {
    if (entry.kind === 'link' && (error as { reason?: unknown }).reason === 'path-missing') return undefined
    throw error
  }
}

/** @throws RenderError `too-large` */
export function checkCombinedSize(files: readonly FileEntry[], path: string): void {
  const total = files.reduce((sum, { size }) => sum + (size ?? 0), 0)
  if (total <= maxCombinedBytes) return
  const mebibytes = Math.round(total / 1024 / 1024)
  throw new RenderError(
    'too-large',
    `the manifests in ${path === '' ? 'the repository' : path} have ${mebibytes} MiB together; ${maxCombinedBytes / 1024 / 1024} MiB are read; narrow directory.include`,
  )
}

/**
 * Documents of one file, or why it is no manifest. Argo CD passes over YAML without a `kind`, unless its text looks
 * like a manifest or an object came before (`getObjsFromYAMLOrJson`).
 */
function readFile(bytes: Uint8Array | undefined, file: string, reader: YamlReader): readonly YamlDocument[] | string {
  if (bytes === undefined) return `${file} is skipped, it links to no file`
  if (file.endsWith('.jsonnet')) return `${file} is skipped, Jsonnet is not rendered`
  const text = decodeText(bytes, file)
  if (text.includes(skipMarker)) return []
  let documents: readonly YamlDocument[]
  try {
    documents = reader.read(text, file)
  } catch (error) {
    if (!RenderError.is(error) || error.reason === 'alias-bomb' || looksLikeManifest(text, file)) throw error
    return `${file} is skipped, it is no manifest (${error.message})`
  }
  const stranger = documents.findIndex(({ value }) => !isObject(value) || typeof value['kind'] !== 'string')
  if (stranger < 0) return onlyOne(documents, file)
  if (stranger > 0 || looksLikeManifest(text, file)) {
    if (file.endsWith('.json') && isOciManifest(documents[0])) return []
    // Making an object of it says what is missing, and where.
    return documents
  }
  return `${file} is skipped, it is no manifest (it has no kind)`
}

function onlyOne(documents: readonly YamlDocument[], file: string): readonly YamlDocument[] {
  if (!file.endsWith('.json') || documents.length < 2) return documents
  throw new RenderError('broken-yaml', `${file} has several documents; a .json file may have one`, {
    place: { file, ...(documents[1]?.start ?? { line: 1, column: 1 }) },
  })
}

function looksLikeManifest(text: string, file: string): boolean {
  if (file.endsWith('.json')) return true
  if (/^kind:/m.test(text)) return true
  return text.includes('apiVersion:') && text.includes('kind:') && text.includes('metadata:')
}

/** An OCI image manifest may lie beside manifests that were pulled from a registry. */
function isOciManifest(document: YamlDocument | undefined): boolean {
  return document !== undefined && isObject(document.value) && Number(document.value['schemaVersion'] ?? 0) > 0
}
