import { createHash } from 'node:crypto'
import { throwIfAborted } from '../base/abort.ts'
import { Lru } from '../base/lru.ts'
import type { ApplicationSource } from '../model/application.ts'
import { canonicalJson } from '../model/json.ts'
import type { Manifest, Place } from '../model/manifest.ts'
import type { Path } from '../model/pointer.ts'
import type { Cancellable, RenderRequest, Rendered, RendererPort } from '../model/ports.ts'
import { detectType } from './detect.ts'
import type { SourceType } from './detect.ts'
import { planDirectory } from './directory-plan.ts'
import { environmentKey } from './environment.ts'
import { RenderError } from './errors.ts'
import { planHelm } from './helm/plan.ts'
import { planKustomize } from './kustomize/plan.ts'
import { ManifestMaker, refuseDuplicates } from './manifests.ts'
import { overriddenSource } from './overrides.ts'
import type { RenderParts, RenderPlan, RenderResult } from './plan.ts'
import { stillTrue, traceReads } from './reads.ts'
import type { Checkouts, Trace } from './reads.ts'
import { repositoryPath } from './source-path.ts'
import { ToolBox } from './tools.ts'
import type { ToolOptions } from './tools.ts'
import { YamlReader } from './yaml/read.ts'

export type RendererOptions = ToolOptions & {
  /** Of how many sources renders are kept; 5000 when absent. */
  readonly cacheSize?: number
}

/** One render that was done, and everything that it read. */
type Kept = { readonly traces: readonly Trace[]; readonly rendered: Rendered }

type Prepared = { readonly source: ApplicationSource; readonly type: SourceType }

type Task = { readonly request: RenderRequest; readonly type: SourceType; readonly path: string; readonly key: string }

/** Older states of one application that are kept beside the last: a branch and the working tree, and one step back. */
const keptPerSource = 3

/** Renders sources, and knows when a new revision changes nothing that a render has read. */
export class SourceRenderer implements RendererPort {
  /** How often rendering was asked for, and how often it had to be done. */
  readonly counts = { asked: 0, done: 0 }
  private readonly parts: RenderParts
  private readonly kept: Lru<string, readonly Kept[]>
  private readonly prepared: Lru<string, Prepared>

  constructor(options: RendererOptions) {
    this.parts = {
      reader: new YamlReader(),
      maker: new ManifestMaker(),
      tools: new ToolBox(options),
      allowRemoteBases: options.allowRemoteBases ?? false,
    }
    this.kept = new Lru(options.cacheSize ?? 5000)
    this.prepared = new Lru(options.cacheSize ?? 5000)
  }

  async render(asked: RenderRequest, options: Cancellable): Promise<Rendered> {
    throwIfAborted(options.signal)
    this.counts.asked += 1
    if (isReferenceOnly(asked.source)) return { manifests: [], type: 'Directory', warnings: [] }
    refuseCharts(asked)
    const path = repositoryPath(asked.source.path, '', "the source's path")
    const { source, type } = await this.prepare(asked, path, options)
    const request = { ...asked, source }
    const key = await this.keyOf(request, type, path, options)
    const known = await this.recall(key, checkoutsOf(request), options)
    return known ?? this.renderAfresh({ request, type, path, key }, options)
  }

  locate(manifest: Manifest, path: Path): Place | undefined {
    return manifest.origin === undefined ? undefined : this.parts.maker.locate(manifest.origin, path)
  }

  /** What a source is, with what its folder says; looked up again only where the folder has changed. */
  private async prepare(request: RenderRequest, path: string, options: Cancellable): Promise<Prepared> {
    const { source, checkout, application } = request
    const tree = (await checkout.treeId(path, options)) ?? ''
    const key = [tree, path, application.name, canonicalJson(source)].join('\0')
    const known = this.prepared.get(key)
    if (known !== undefined) return known
    const merged = await overriddenSource(request, path, this.parts, options)
    const prepared = { source: merged, type: await detectType(merged, checkout, path, options) }
    if (!isMoving(request)) this.prepared.set(key, prepared)
    return prepared
  }

  private async renderAfresh({ request, type, path, key }: Task, options: Cancellable): Promise<Rendered> {
    await refuseMissing(request, path, options)
    const checkouts = checkoutsOf(request)
    const plan = await plans[type](request, path, this.parts, options)
    const traces = await traceReads(plan.reads, checkouts, options)
    this.counts.done += 1
    const work = (): Promise<RenderResult> => plan.run(options)
    const result = await (type === 'Directory' ? work() : this.parts.tools.inTurn(work, options))
    refuseDuplicates(result.manifests)
    const rendered = { manifests: result.manifests, type, warnings: result.warnings }
    const all = [...traces, ...(await traceReads(result.moreReads ?? [], checkouts, options))]
    // A working tree may have changed while it was read; then nobody can say what this is a render of.
    if (!isMoving(request) || (await stillTrue(all, checkouts, options))) this.keep(key, { traces: all, rendered })
    return rendered
  }

  private async recall(key: string, checkouts: Checkouts, options: Cancellable): Promise<Rendered | undefined> {
    for (const kept of this.kept.get(key) ?? []) {
      if (await stillTrue(kept.traces, checkouts, options)) return kept.rendered
    }
    return undefined
  }

  private keep(key: string, kept: Kept): void {
    this.kept.set(key, [kept, ...(this.kept.get(key) ?? [])].slice(0, keptPerSource))
  }

  /** Everything that a render depends on beside the files that it reads. */
  private async keyOf(request: RenderRequest, type: SourceType, path: string, options: Cancellable): Promise<string> {
    const { source, application, kubeVersion, apiVersions } = request
    if (type === 'Directory') return `${type} ${path} ${canonicalJson(source.directory ?? {})}`
    const version = await this.parts.tools.version(type === 'Helm' ? 'helm' : 'kustomize', options)
    const own = (type === 'Helm' ? source.helm : source.kustomize) ?? {}
    const cluster = type === 'Helm' ? [kubeVersion, application.destination.namespace, ...apiVersions.toSorted()] : []
    const said = canonicalJson(own)
    const parts = [type, path, version, application.name, said, environmentKey(said, request), ...cluster]
    return createHash('sha256').update(parts.join('\0')).digest('hex')
  }
}

const plans: Record<
  SourceType,
  (request: RenderRequest, path: string, parts: RenderParts, options: Cancellable) => Promise<RenderPlan>
> = { Directory: planDirectory, Kustomize: planKustomize, Helm: planHelm }

/** The renderer of a session. */
export function createRenderer(options: RendererOptions = {}): SourceRenderer {
  return new SourceRenderer(options)
}

function checkoutsOf({ checkout, references }: RenderRequest): Checkouts {
  return (name) => (name === '' ? checkout : references.get(name))
}

/** A source with a `ref` and no path is there for the value files of others. */
function isReferenceOnly({ ref, path, chart, directory, kustomize, helm }: ApplicationSource): boolean {
  const own = [chart, directory, kustomize, helm].some((each) => each !== undefined)
  return ref !== undefined && ref !== '' && path === '' && !own
}

function isMoving({ checkout, references }: RenderRequest): boolean {
  return [checkout, ...references.values()].some(({ revision }) => revision.kind === 'worktree')
}

function refuseCharts({ source }: RenderRequest): void {
  if (source.chart === undefined || source.chart === '') return
  throw new RenderError(
    'unsupported-source',
    `the chart ${source.chart} comes from a Helm repository, which is not read; put the chart into the Git repository (helm pull --untar) and name its path`,
  )
}

async function refuseMissing({ checkout }: RenderRequest, path: string, options: Cancellable): Promise<void> {
  if (path === '' || (await checkout.treeId(path, options)) !== undefined) return
  throw new RenderError('path-missing', `there is no folder ${path} in revision ${checkout.revision.name}`)
}
