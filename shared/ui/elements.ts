import { ConfirmDialog } from './confirm-dialog.ts'
import { DiffView } from './diff/diff-view.ts'
import { EventsView } from './events-view.ts'
import { DetailsView } from './graph/details-view.ts'
import { GraphView } from './graph/graph-view.ts'
import { HistoryView } from './history-view.ts'
import { RehearsalView } from './rehearsal-view.ts'
import { RehearseDialog } from './rehearse-dialog.ts'
import { SyncDialog } from './sync-dialog.ts'
import { TimelineView } from './timeline/timeline-view.ts'
import { Toasts } from './toasts.ts'
import { Menu } from './menu.ts'
import { ApplicationPanel } from './panel.ts'
import { define } from './element.ts'

/** Every element of the application panel, by its name in the page. */
const ELEMENTS: readonly (readonly [string, CustomElementConstructor])[] = [
  ['pl-confirm', ConfirmDialog],
  ['pl-details', DetailsView],
  ['pl-diff', DiffView],
  ['pl-events', EventsView],
  ['pl-graph', GraphView],
  ['pl-history', HistoryView],
  ['pl-rehearsal', RehearsalView],
  ['pl-rehearse-dialog', RehearseDialog],
  ['pl-sync-dialog', SyncDialog],
  ['pl-timeline', TimelineView],
  ['pl-toasts', Toasts],
  ['pl-menu', Menu],
  ['pl-panel', ApplicationPanel],
]

/** Registers the elements, once. */
export function definePanel(): void {
  for (const [name, element] of ELEMENTS) define(name, element)
}
