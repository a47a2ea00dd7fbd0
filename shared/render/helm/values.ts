import { stringifyJson } from '../../model/json.ts'
import type { HelmSource } from '../../model/application.ts'
import type { Cancellable, Checkout, RenderRequest } from '../../model/ports.ts'
import { substitute } from '../environment.ts'
import { RenderError } from '../errors.ts'
import type { Read } from '../reads.ts'
import { repositoryPath } from '../source-path.ts'

/** A file that helm is given: its name for messages, and its bytes when asked. */
export type InputFile = { readonly name: string; readonly read: () => Promise<string | Uint8Array> }

export type HelmInputs = {
  /** In helm's order: the last one wins. */
  readonly values: readonly InputFile[]
  readonly files: readonly (InputFile & { readonly parameter: string })[]
  readonly reads: readonly Read[]
}

/**
 * The values of a source in Argo CD's order: value files, then `valuesObject` or else `values`.
 * @throws RenderError `path-missing`, `path-outside`, `bad-option`, `remote-base`
 */
export async function helmInputs(
  request: RenderRequest,
  chart: string,
  helm: HelmSource,
  options: Cancellable,
): Promise<HelmInputs> {
  const values: InputFile[] = []
  const files: (InputFile & { readonly parameter: string })[] = []
  const reads: Read[] = []
  for (const written of helm.valueFiles ?? []) {
    const found = await findFile(request, chart, substitute(written, request), 'helm.valueFiles', options)
    reads.push(found.read)
    if (found.file !== undefined) values.push(found.file)
    else if (helm.ignoreMissingValueFiles !== true) {
      throw new RenderError(
        'path-missing',
        `helm.valueFiles: ${written} does not exist (set ignoreMissingValueFiles to pass over it)`,
      )
    }
  }
  const inline = inlineValues(helm, request)
  if (inline !== undefined) values.push({ name: 'values.yaml', read: async () => inline })
  for (const { name, path } of helm.fileParameters ?? []) {
    const found = await findFile(request, chart, substitute(path, request), 'helm.fileParameters', options)
    reads.push(found.read)
    if (found.file === undefined) throw new RenderError('path-missing', `helm.fileParameters: ${path} does not exist`)
    files.push({ ...found.file, parameter: name })
  }
  return { values, files, reads }
}

function inlineValues({ values, valuesObject }: HelmSource, request: RenderRequest): string | undefined {
  if (valuesObject !== undefined && valuesObject !== null) return substitute(stringifyJson(valuesObject), request)
  return values === undefined || values === '' ? undefined : substitute(values, request)
}

type Found = { readonly read: Read; readonly file?: InputFile }

/** `$ref/path` is a path in another source, `/path` is one from the repository's root, others are beside the chart. */
async function findFile(
  request: RenderRequest,
  chart: string,
  written: string,
  field: string,
  options: Cancellable,
): Promise<Found> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(written)) {
    throw new RenderError(
      'remote-base',
      `${field}: ${written} would be fetched from the network; put the file into the repository`,
    )
  }
  const reference = /^\$([^/]+)\/(.*)$/s.exec(written)
  const name = reference?.[1] ?? ''
  const checkout = name === '' ? request.checkout : request.references.get(name)
  if (checkout === undefined) {
    throw new RenderError(
      'bad-option',
      `${field}: ${written} names the source $${name}, but no source has \`ref: ${name}\``,
    )
  }
  const path = pathOf(reference?.[2], written, chart, field)
  const read: Read = { kind: 'tree', checkout: name, path }
  if ((await checkout.treeId(path, options)) === undefined) return { read }
  return { read, file: { name: path.slice(path.lastIndexOf('/') + 1), read: () => readBytes(checkout, path, options) } }
}

function pathOf(inReference: string | undefined, written: string, chart: string, field: string): string {
  if (inReference !== undefined) return repositoryPath(inReference, '', field)
  if (written.startsWith('/')) return repositoryPath(written.slice(1), '', field)
  return repositoryPath(written, chart, field)
}

function readBytes(checkout: Checkout, path: string, options: Cancellable): Promise<Uint8Array> {
  return checkout.read(path, options)
}
