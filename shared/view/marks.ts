import type { ObjectDrift } from '../model/drift.ts'
import type { HealthCode } from '../model/health.ts'
import type { StepAction } from '../model/plan.ts'
import type { SyncCode } from '../model/status.ts'
import type { Verdict } from '../model/verdict.ts'

/** A colour of a terminal. */
export type TerminalColour = 'green' | 'yellow' | 'red' | 'blue' | 'magenta' | 'dim'

/** One state as every front shows it: never by colour alone, always with its word. */
export type Mark = {
  readonly word: string
  /** One column wide, for the terminal. */
  readonly glyph: string
  readonly colour: TerminalColour
  /** A name of VS Code's codicon font; the window draws the same ones. */
  readonly codicon: string
  /** A VS Code theme colour; the window has a variable for each. */
  readonly themeColour: string
}

export const SYNC_MARKS: Readonly<Record<SyncCode, Mark>> = {
  Synced: mark('Synced', '✓', 'green', 'pass', 'charts.green'),
  OutOfSync: mark('OutOfSync', '⚠', 'yellow', 'warning', 'charts.yellow'),
  Unknown: mark('Unknown', '?', 'dim', 'question', 'descriptionForeground'),
}

export const HEALTH_MARKS: Readonly<Record<HealthCode, Mark>> = {
  Healthy: mark('Healthy', '♥', 'green', 'heart-filled', 'charts.green'),
  Progressing: mark('Progressing', '…', 'blue', 'sync~spin', 'charts.blue'),
  Suspended: mark('Suspended', '‖', 'magenta', 'debug-pause', 'charts.purple'),
  Degraded: mark('Degraded', '✗', 'red', 'error', 'charts.red'),
  Missing: mark('Missing', '○', 'yellow', 'circle-slash', 'charts.yellow'),
  Unknown: mark('Unknown', '?', 'dim', 'question', 'descriptionForeground'),
}

/** One object held against Git. */
export const DRIFT_MARKS: Readonly<Record<ObjectDrift['state'], Mark>> = {
  synced: SYNC_MARKS.Synced,
  changed: SYNC_MARKS.OutOfSync,
  missing: HEALTH_MARKS.Missing,
  extra: mark('Extra', '−', 'yellow', 'diff-removed', 'charts.orange'),
  unknown: SYNC_MARKS.Unknown,
}

export const STEP_MARKS: Readonly<Record<StepAction, Mark>> = {
  create: mark('create', '+', 'green', 'diff-added', 'charts.green'),
  update: mark('change', '~', 'yellow', 'diff-modified', 'charts.yellow'),
  prune: mark('prune', '−', 'red', 'diff-removed', 'charts.orange'),
  none: mark('unchanged', '=', 'dim', 'dash', 'descriptionForeground'),
}

export const SIMULATED_MARK: Mark = mark('simulated', '~', 'dim', 'beaker', 'descriptionForeground')

/** What the checker says of a commit; `short` is what a terminal has room for. */
export function verdictMark(verdict: Verdict): Mark & { readonly short: string } {
  switch (verdict.verdict) {
    case 'verified': {
      const signer = verdict.signer ?? verdict.keyId
      const word = signer === undefined ? 'Verified' : `Verified by ${signer}`
      return { ...mark(word, '✓', 'green', 'verified-filled', 'charts.green'), short: 'signed' }
    }
    case 'unsigned':
      return { ...mark('Unsigned', '○', 'dim', 'unverified', 'descriptionForeground'), short: 'unsigned' }
    case 'untrusted': {
      const key = verdict.keyId ?? verdict.fingerprint
      const word = key === undefined ? 'Untrusted' : `Untrusted ${key}`
      return { ...mark(word, '?', 'yellow', 'question', 'charts.yellow'), short: 'untrusted' }
    }
    case 'invalid':
      return { ...mark('Bad signature', '✗', 'red', 'error', 'charts.red'), short: 'bad signature' }
  }
}

function mark(word: string, glyph: string, colour: TerminalColour, codicon: string, themeColour: string): Mark {
  return { word, glyph, colour, codicon, themeColour }
}
