import { html, type TemplateResult } from 'lit-html'
import { HEALTH_MARKS } from '../view/marks.ts'
import { duration } from '../view/time.ts'
import { countOf } from '../view/words.ts'
import { icon } from './icons.ts'
import { markView } from './mark-view.ts'
import type { Rehearsing } from './panel-actions.ts'

/** A rehearsal under way: where, how far, what its steps came to, and the way out. */
export function rehearsingView({ on, startedAt, steps, abort }: Rehearsing, now: number): TemplateResult {
  const totalMs = Math.max(1, ...steps.map(({ startMs, endMs }) => endMs ?? startMs))
  const words = `Rehearsing on ${on}: ${countOf(steps.length, 'step')}, ${duration(now - startedAt)}`
  return html`<div class="padded">
    <p class="row wrap" role="status">
      ${markView({ ...HEALTH_MARKS.Progressing, word: words })}
      <button @click=${() => abort.abort()}>${icon('debug-stop')}Cancel</button>
    </p>
    <pl-timeline .props=${{ timeline: { steps, health: [], totalMs }, playable: false }}></pl-timeline>
  </div>`
}
