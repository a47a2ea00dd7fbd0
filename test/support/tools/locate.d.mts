/** One real part: what is pinned, how it is built, and which other versions may stand in for it. */
export interface CatalogueEntry {
  readonly version: string
  /** The folder beside this file that holds the Go module. */
  readonly module: string
  readonly package: string
  /** Go packages whose version variables are set at link time. */
  readonly stamps: readonly string[]
  readonly versionArguments: readonly string[]
  /** A regular expression over `major.minor.patch`. */
  readonly accepts: string
  /** Whether a missing part fails the run when `CI=true`. */
  readonly required: boolean
}

export type Catalogue = Readonly<Record<string, CatalogueEntry>>

export type LocatedTool =
  | {
      readonly kind: 'found'
      readonly path: string
      readonly version: string
      readonly from: 'KUBEBUILDER_ASSETS' | 'cache' | 'PATH'
    }
  | { readonly kind: 'missing'; readonly reason: string }

type Environment = Readonly<Record<string, string | undefined>>

export const catalogue: Catalogue
/** `$PLUMBLINE_TOOLS`, else `plumbline/tools` in the user's cache folder. */
export function cacheFolder(env?: Environment): string
export function cachePath(name: string, env?: Environment): string
/** Looks in `KUBEBUILDER_ASSETS`, the cache and `PATH`, in that order; runs a candidate only to ask its version. */
export function locateTool(name: string, env?: Environment): LocatedTool
