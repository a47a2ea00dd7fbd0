import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Manifest } from '../../model/manifest.ts'
import type { Cancellable, RenderRequest } from '../../model/ports.ts'
import { RenderError } from '../errors.ts'
import type { Locator } from '../manifests.ts'
import type { RenderParts, RenderPlan } from '../plan.ts'
import type { Read } from '../reads.ts'
import { below } from '../source-path.ts'
import type { TracedOrigin } from '../traced-origin.ts'
import { helmArguments } from './arguments.ts'
import type { PlacedInputs } from './arguments.ts'
import { readChart } from './dependencies.ts'
import type { Chart } from './dependencies.ts'
import { TemplateTracer, placeInMessage } from './origins.ts'
import { helmInputs } from './values.ts'
import type { HelmInputs, InputFile } from './values.ts'

/** Files that are not the chart's own lie here, in the temporary folder. */
const inputFolder = '.plumbline-inputs'

type Job = {
  readonly request: RenderRequest
  readonly folder: string
  readonly parts: RenderParts
  readonly chart: Chart
  readonly inputs: HelmInputs
}

/** A chart: its folder, the charts beside it that it names, and the value files, wherever they are. */
export async function planHelm(
  request: RenderRequest,
  folder: string,
  parts: RenderParts,
  options: Cancellable,
): Promise<RenderPlan> {
  const { checkout, source } = request
  const chart = await readChart(folder, { checkout, reader: parts.reader, maker: parts.maker, options })
  const inputs = await helmInputs(request, folder, source.helm ?? {}, options)
  const folders = [folder, ...chart.local.map((each) => each.folder)]
  const trees = folders.map((path): Read => ({ kind: 'tree', checkout: '', path }))
  const job: Job = { request, folder, parts, chart, inputs }
  return {
    reads: [...trees, ...inputs.reads],
    run: async (options) => {
      const output = await template(job, folders, options)
      return { manifests: await manifestsOf(job, output, options), warnings: [] }
    },
  }
}

async function template(job: Job, folders: readonly string[], options: Cancellable): Promise<string> {
  const { request, folder, parts, chart, inputs } = job
  const made = await request.checkout.materialize(folders, options)
  try {
    for (const { folder: from, target } of chart.local) {
      await cp(join(made.folder, from), join(made.folder, target), { recursive: true })
    }
    const args = helmArguments(request, folder, await placeInputs(inputs, made.folder))
    return await parts.tools.output('helm', args, { cwd: made.folder, ...options })
  } catch (error) {
    if (!RenderError.is(error, 'tool-failed')) throw error
    const place = placeInMessage(error.message, folder) ?? { file: below(folder, 'Chart.yaml'), line: 1, column: 1 }
    throw new RenderError('tool-failed', error.message, { place, cause: error })
  } finally {
    await made.dispose()
  }
}

async function placeInputs({ values, files }: HelmInputs, root: string): Promise<PlacedInputs> {
  let count = 0
  const write = async ({ name, read }: InputFile): Promise<string> => {
    const path = `${inputFolder}/${count}/${name}`
    count += 1
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), await read())
    return path
  }
  const placedValues: string[] = []
  for (const file of values) placedValues.push(await write(file))
  const placedFiles: (readonly [string, string])[] = []
  for (const file of files) placedFiles.push([file.parameter, await write(file)])
  return { values: placedValues, files: placedFiles }
}

async function manifestsOf(job: Job, output: string, options: Cancellable): Promise<readonly Manifest[]> {
  const { request, folder, parts, chart } = job
  const tracer = new TemplateTracer(folder, chart, { checkout: request.checkout, reader: parts.reader })
  const manifests: Manifest[] = []
  let source: string | undefined
  for (const { value, chunk } of parts.reader.read(output, below(folder, '(helm output)'))) {
    // A file of CRDs is written whole, with one comment for all its documents.
    source = /^# Source: (\S.*)$/m.exec(chunk.text)?.[1] ?? source
    const traced = await tracer.trace(source, value, options)
    manifests.push(...parts.maker.fromTool(value, traced.origin, locatorIn(traced, parts)))
  }
  return manifests
}

/** Definitions are handed on as they are written, so their fields have places; what a template makes has none. */
function locatorIn({ origin, source }: TracedOrigin, { maker }: RenderParts): (() => Locator) | undefined {
  return source === undefined ? undefined : () => (path) => maker.placeOf(source, path, origin.file)
}
