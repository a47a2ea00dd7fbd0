/** Where a kind keeps what `/scale` shows. */
export interface ScalePaths {
  readonly specReplicas: readonly string[]
  readonly statusReplicas: readonly string[]
  /** A path to a selector in text, or what the built-in kinds have: a LabelSelector (or a plain map) at spec.selector. */
  readonly selector: readonly string[] | 'spec.selector' | undefined
}
