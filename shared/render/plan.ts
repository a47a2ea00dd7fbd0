import type { Manifest } from '../model/manifest.ts'
import type { Cancellable } from '../model/ports.ts'
import type { ManifestMaker } from './manifests.ts'
import type { Read } from './reads.ts'
import type { ToolBox } from './tools.ts'
import type { YamlReader } from './yaml/read.ts'

/** What every renderer works with. */
export type RenderParts = {
  readonly reader: YamlReader
  readonly maker: ManifestMaker
  readonly tools: ToolBox
  readonly allowRemoteBases: boolean
}

/** A render that is known well enough to say what it will read. */
export type RenderPlan = {
  readonly reads: readonly Read[]
  /** @throws RenderError */
  readonly run: (options: Cancellable) => Promise<RenderResult>
}

export type RenderResult = {
  readonly manifests: readonly Manifest[]
  readonly warnings: readonly string[]
  /** What turned out to be read beside the plan. */
  readonly moreReads?: readonly Read[]
}
