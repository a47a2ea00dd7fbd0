import type { ApplicationSource } from '../model/application.ts'
import type { Manifest } from '../model/manifest.ts'
import type { Checkout, ClusterFacts, Judgement } from '../model/ports.ts'
import type { Revision } from '../model/revision.ts'
import type { PassContext } from './pass-context.ts'

export type Checkouts = {
  readonly sources: readonly { readonly source: ApplicationSource; readonly checkout: Checkout }[]
  /** The first source's; what the application is said to be at. */
  readonly revision: Revision
}

export type RenderedSources = {
  readonly manifests: readonly Manifest[]
  readonly type: string
  readonly warnings: readonly string[]
}

const FULL_SHA = /^[0-9a-f]{40}([0-9a-f]{24})?$/

/** @throws GitError */
export async function resolveSources({ application, ports, revision, slot, cancel }: PassContext): Promise<Checkouts> {
  // A sync of many passes stays at the commits that it began with, wherever their branch goes meanwhile.
  const begun = (slot.log?.operation.revisions ?? slot.pinned)?.map((sha) => (FULL_SHA.test(sha) ? sha : undefined))
  const sources = await Promise.all(
    application.sources.map(async (source, index) => {
      const wanted = begun?.[index] ?? revision
      const asked = wanted === undefined ? cancel : { ...cancel, revision: wanted }
      return { source, checkout: await ports.source.resolve(source, asked) }
    }),
  )
  const [first] = sources
  if (first === undefined) throw new Error(`application ${application.name} has no source`)
  return { sources, revision: first.checkout.revision }
}

/** The first refusal of any source counts for the whole application; without a policy there is no judgement. */
export async function judgeSources(
  { application, ports, cancel }: PassContext,
  checkouts: Checkouts,
): Promise<Judgement | undefined> {
  let judgement: Judgement | undefined
  for (const { source, checkout } of checkouts.sources) {
    const found = await ports.verifier.judge(application, source, checkout, cancel)
    if (found === undefined || judgement?.refusal !== undefined) continue
    if (judgement === undefined || found.refusal !== undefined) judgement = found
  }
  return judgement
}

/** @throws RenderError */
export async function renderSources(
  { application, ports, cancel }: PassContext,
  checkouts: Checkouts,
  facts: ClusterFacts,
): Promise<RenderedSources> {
  const references = new Map(
    checkouts.sources.flatMap(({ source, checkout }) => (source.ref === undefined ? [] : [[source.ref, checkout]])),
  )
  // A source with a `ref` and no path of its own only lends its files to the others.
  const own = checkouts.sources.filter(({ source }) => source.ref === undefined || source.path !== '.')
  const rendered = await Promise.all(
    own.map(async ({ source, checkout }) =>
      ports.renderer.render(
        { application, source, checkout, references, kubeVersion: facts.version, apiVersions: facts.apiVersions },
        cancel,
      ),
    ),
  )
  return {
    // One source's list is handed on as it is, so that an unchanged render is seen to be the same.
    manifests:
      rendered.length === 1 && rendered[0] !== undefined
        ? rendered[0].manifests
        : rendered.flatMap((one) => one.manifests),
    type: rendered[0]?.type ?? 'Directory',
    warnings: rendered.flatMap((one) => one.warnings),
  }
}
