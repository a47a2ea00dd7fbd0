export const PANEL_TABS = ['graph', 'diff', 'timeline', 'history', 'events'] as const
export type PanelTab = (typeof PANEL_TABS)[number]

/** Which application a panel shows, and where it opens. */
export type PanelTarget = {
  readonly application: string
  readonly tab?: PanelTab
  /** A resource's key. */
  readonly key?: string
}

/** Reads what a panel kept of itself. Undefined where it is not ours to trust. */
export function readPanelTarget(value: unknown): PanelTarget | undefined {
  const { application, tab, key } = (value ?? {}) as Partial<Record<keyof PanelTarget, unknown>>
  if (typeof application !== 'string' || application === '' || application.length > 253) return undefined
  const known = PANEL_TABS.find((each) => each === tab)
  return {
    application,
    ...(known === undefined ? {} : { tab: known }),
    ...(typeof key === 'string' && key.length <= 1024 ? { key } : {}),
  }
}
