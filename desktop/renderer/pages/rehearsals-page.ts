import { html, type TemplateResult } from 'lit-html'
import type { RehearsalShown } from '../../../shared/model/front.ts'
import { icon } from '../../../shared/ui/icons.ts'
import { ago } from '../../../shared/ui/mark-view.ts'
import type { Host } from '../../../shared/ui/message-host.ts'
import { writeRoute } from '../../../shared/ui/route.ts'
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
    if (chosen !== undefined)
      return html`<p><a href=${writeRoute({ page: 'rehearsals' })}>All rehearsals</a></p>
        <h2 class="break">${chosen.application} at ${chosen.revision}</h2>
        <pl-rehearsal .props=${{ rehearsal: chosen, now: Date.now() }}></pl-rehearsal>`
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
