import type { KubeObject, ResourceId } from './kubernetes.ts'

/** A position in a text file. `line` and `column` count from 1, `column` in UTF-16 units. */
export type Position = { readonly line: number; readonly column: number }

/** A position in a file; `file` is relative to the repository's root, with forward slashes. */
export type Place = Position & { readonly file: string }

/** Which document of which file an object was read from. */
export type Origin = {
  readonly file: string
  /** Counts from 0 within the file. */
  readonly document: number
  /** Where the document's content starts. */
  readonly start: Position
  /** True where the object's own text is this document; false where a tool (helm, kustomize) made it from there. */
  readonly exact: boolean
}

/** One object that Git wants, and where it says so. */
export type Manifest = {
  readonly id: ResourceId
  readonly object: KubeObject
  readonly origin?: Origin
}
