import type { ClusterState } from '../model/cluster.ts'
import type { Mark } from './marks.ts'

/** A local cluster's state as every front shows it. */
export function clusterMark(state: ClusterState): Mark {
  return MARKS[state]
}

const ON_ITS_WAY = { glyph: '…', colour: 'blue', codicon: 'sync~spin', themeColour: 'charts.blue' } as const

const MARKS: Readonly<Record<ClusterState, Mark>> = {
  running: { word: 'running', glyph: '✓', colour: 'green', codicon: 'pass', themeColour: 'charts.green' },
  stopped: { word: 'stopped', glyph: '‖', colour: 'dim', codicon: 'debug-pause', themeColour: 'descriptionForeground' },
  creating: { word: 'creating', ...ON_ITS_WAY },
  starting: { word: 'starting', ...ON_ITS_WAY },
  stopping: { word: 'stopping', ...ON_ITS_WAY },
  deleting: { word: 'deleting', ...ON_ITS_WAY },
  failed: { word: 'failed', glyph: '✗', colour: 'red', codicon: 'error', themeColour: 'charts.red' },
  unknown: { word: 'unknown', glyph: '?', colour: 'dim', codicon: 'question', themeColour: 'descriptionForeground' },
}
