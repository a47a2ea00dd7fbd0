import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KustomizeSource } from '../../model/application.ts'
import { isArray, stringifyJson } from '../../model/json.ts'
import type { JsonObject } from '../../model/json.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import type { Manifest } from '../../model/manifest.ts'
import type { Cancellable, RenderRequest } from '../../model/ports.ts'
import { alignPath } from '../align.ts'
import { substitute } from '../environment.ts'
import { RenderError } from '../errors.ts'
import type { Locator } from '../manifests.ts'
import type { RenderParts, RenderPlan, RenderResult } from '../plan.ts'
import type { Read } from '../reads.ts'
import type { TracedOrigin } from '../traced-origin.ts'
import { closureOf } from './closure.ts'
import type { Closure, KustomizationFile } from './closure.ts'
import { editKustomization, hasEdits } from './edit.ts'
import { fieldSetters } from './field-setters.ts'
import type { FieldSetter } from './field-setters.ts'
import { OriginTracer, withoutOrigin } from './origins.ts'

type Job = {
  readonly request: RenderRequest
  readonly folder: string
  readonly parts: RenderParts
  readonly edits: KustomizeSource
}

/** A kustomization. kustomize is given the files that the kustomization names and no others, so no read is missed. */
export async function planKustomize(
  request: RenderRequest,
  folder: string,
  parts: RenderParts,
  options: Cancellable,
): Promise<RenderPlan> {
  const job: Job = { request, folder, parts, edits: request.source.kustomize ?? {} }
  const { checkout } = request
  const { reader, maker, allowRemoteBases } = parts
  const context = { checkout, reader, maker, allowRemoteBases, options }
  const closure = await closureOf(folder, (content) => edited(job, content), context)
  const reads = [...closure.present, ...closure.absent]
  return { reads: reads.map(readOf), run: (options) => build(job, closure, options) }
}

function readOf(path: string): Read {
  return { kind: 'tree', checkout: '', path }
}

function edited({ request, edits }: Job, content: JsonObject): JsonObject {
  return editKustomization(content, edits, (text) => substitute(text, request))
}

async function build(job: Job, closure: Closure, options: Cancellable): Promise<RenderResult> {
  const remote = closure.remote.map((target) => `${target} is fetched once; a change there is not noticed`)
  try {
    const output = await runIn(job, closure.root, [...closure.present], options)
    return { manifests: await manifestsOf(job, closure, output, options), warnings: remote }
  } catch (error) {
    if (!RenderError.is(error, 'tool-failed')) throw error
    // Perhaps it needs files that no kustomization names: give it the folders whole, and remember them whole.
    const folders = [...closure.kustomizations.keys()]
    const output = await runIn(job, closure.root, [...closure.present, ...folders], options)
    const manifests = await manifestsOf(job, closure, output, options)
    return { manifests, warnings: remote, moreReads: folders.map(readOf) }
  }
}

async function runIn(
  job: Job,
  root: KustomizationFile,
  paths: readonly string[],
  options: Cancellable,
): Promise<string> {
  const { folder, request, parts } = job
  const made = await request.checkout.materialize(paths, options)
  try {
    await writeFile(join(made.folder, root.file), kustomizationText(job, root))
    // Relative, so that the tool's messages name paths of the repository.
    return await parts.tools.output('kustomize', [folder === '' ? '.' : `./${folder}`], {
      cwd: made.folder,
      ...options,
    })
  } catch (error) {
    if (!RenderError.is(error, 'tool-failed')) throw error
    throw new RenderError('tool-failed', error.message, {
      place: { file: root.file, line: 1, column: 1 },
      cause: error,
    })
  } finally {
    await made.dispose()
  }
}

/** The root's text with the application's options, and with the wish for origins. JSON is YAML. */
function kustomizationText(job: Job, { text, content }: KustomizationFile): string {
  const plain = /^[A-Za-z]+:/m.test(text) && !/^(?:\.\.\.|---|\{|\?|%)/m.test(text) && !text.startsWith('\uFEFF')
  if (!hasEdits(job.edits) && content['buildMetadata'] === undefined && plain) {
    return `${text}${text.endsWith('\n') ? '' : '\n'}buildMetadata: [originAnnotations]\n`
  }
  const own = isArray(content['buildMetadata']) ? content['buildMetadata'] : []
  const buildMetadata = [...new Set([...own, 'originAnnotations'])]
  return stringifyJson({ ...edited(job, content), buildMetadata })
}

async function manifestsOf(
  { request, folder, parts }: Job,
  { root, kustomizations }: Closure,
  output: string,
  options: Cancellable,
): Promise<readonly Manifest[]> {
  const context = { checkout: request.checkout, reader: parts.reader, maker: parts.maker }
  const tracer = new OriginTracer(folder, root.file, context)
  const setters = await fieldSetters([...kustomizations.values()], context, options)
  const own = root.content['buildMetadata']
  const wanted = isArray(own) && own.includes('originAnnotations')
  const manifests: Manifest[] = []
  for (const { value } of parts.reader.read(output, root.file)) {
    const traced = await tracer.trace(value, options)
    const object = wanted ? value : withoutOrigin(value)
    manifests.push(...parts.maker.fromTool(object, traced.origin, locatorOf(traced, setters, parts)))
  }
  return manifests
}

/** A field stands where the outermost kustomization sets it, else where the object is written. */
function locatorOf(
  { origin, source }: TracedOrigin,
  setters: readonly FieldSetter[],
  { maker }: RenderParts,
): (object: KubeObject) => Locator {
  return (object) => (path) => {
    for (const setter of setters) {
      const place = setter(object, path)
      if (place !== undefined) return place
    }
    if (source === undefined) return undefined
    return maker.placeOf(source, alignPath(object, path, source.value).path, origin.file)
  }
}
