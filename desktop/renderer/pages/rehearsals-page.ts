import { html, nothing, type TemplateResult } from 'lit-html'
import type { RehearsalShown } from '../../../shared/model/front.ts'
import { icon } from '../../../shared/ui/icons.ts'
import { ago } from '../../../shared/ui/mark-view.ts'
import type { Host } from '../../../shared/ui/message-host.ts'
import { writeRoute } from '../../../shared/ui/route.ts'
import { timeAgo } from '../../../shared/view/time.ts'
import { PageView } from '../page.ts'

/** Rehearsals of this window, the newest first; one of them with its timeline. */
export class RehearsalsPage extends PageView<readonly RehearsalShown[]> {
  protected readonly heading = 'Rehearsals'
  protected readonly stale = 'rehearsals'

  protected async ask(host: Host): Promise<readonly RehearsalShown[]> {
    return host.request('rehearsals/list', null)
  }

  protected buttons(): TemplateResult {
    return html``
  }

  protected list(rehearsals: readonly RehearsalShown[]): TemplateResult {
    const { name } = this.props.route
    const chosen = rehearsals.find(({ id }) => id === name)
    if (chosen !== undefined) return this.#one(chosen, rehearsals)
    if (rehearsals.length === 0)
      return html`<div class="empty">
        ${icon('beaker')}
        <p>
          Nothing was rehearsed yet. A rehearsal runs a whole sync on a copy of the live state, and says what would
          happen.
        </p>
        <a href=${writeRoute({ page: 'applications' })}>Choose an application to rehearse</a>
      </div>`
    return html`<table>
      <thead>
        <tr>
          <th>Application</th>
          <th>Result</th>
          <th>Where</th>
          <th>When</th>
        </tr>
      </thead>
      <tbody>
        ${rehearsals.map((rehearsal) => row(rehearsal))}
      </tbody>
    </table>`
  }

  #one(chosen: RehearsalShown, all: readonly RehearsalShown[]): TemplateResult {
    const others = all.filter(({ id, application }) => id !== chosen.id && application === chosen.application)
    const other = others.find(({ id }) => id === this.props.route.key)
    const over = other === undefined ? {} : { over: { timeline: other.timeline, words: `the one of ${named(other)}` } }
    return html`<p><a href=${writeRoute({ page: 'rehearsals' })}>All rehearsals</a></p>
      <div class="row wrap">
        <h2 class="break">${chosen.application} at ${chosen.revision}</h2>
        ${others.length === 0 ? nothing : this.#compare(chosen, others, other)}
      </div>
      <pl-rehearsal .props=${{ rehearsal: chosen, now: Date.now(), ...over }}></pl-rehearsal>`
  }

  #compare(
    { id }: RehearsalShown,
    others: readonly RehearsalShown[],
    other: RehearsalShown | undefined,
  ): TemplateResult {
    const onChange = (event: Event): void =>
      this.props.onGo({ page: 'rehearsals', name: id, key: (event.target as HTMLSelectElement).value })
    return html`<label class="row">
      <span>Compare with</span>
      <select @change=${onChange}>
        <option value="" ?selected=${other === undefined}>none</option>
        ${others.map((one) => html`<option value=${one.id} ?selected=${one === other}>${named(one)}</option>`)}
      </select>
    </label>`
  }
}

function named({ revision, startedAt }: RehearsalShown): string {
  return `${revision}, ${timeAgo(startedAt, Date.now())}`
}

function row({ id, application, revision, passed, summary, on, startedAt }: RehearsalShown): TemplateResult {
  return html`<tr>
    <td><a href=${writeRoute({ page: 'rehearsals', name: id })}>${application}</a> <code>${revision}</code></td>
    <td>
      <span class="row ${passed ? 'tone-green' : 'tone-red'}"
        >${icon(passed ? 'pass' : 'error')}${passed ? 'Passed' : 'Failed'}</span
      >
      <span class="muted">${summary}</span>
    </td>
    <td>${on}</td>
    <td>${ago(startedAt, Date.now())}</td>
  </tr>`
}
