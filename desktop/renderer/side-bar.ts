import { html, nothing, type TemplateResult } from 'lit-html'
import type { WorkspaceState } from '../../shared/model/front.ts'
import { icon } from '../../shared/ui/icons.ts'
import { writeRoute, type Page } from '../../shared/ui/route.ts'

type Entry = { readonly page: Page; readonly title: string; readonly picture: string }

export const ENTRIES: readonly Entry[] = [
  { page: 'applications', title: 'Applications', picture: 'layers' },
  { page: 'clusters', title: 'Clusters', picture: 'server-environment' },
  { page: 'contexts', title: 'Contexts', picture: 'plug' },
  { page: 'rehearsals', title: 'Rehearsals', picture: 'beaker' },
  { page: 'repositories', title: 'Repositories', picture: 'repo' },
  { page: 'keys', title: 'Keys', picture: 'key' },
  { page: 'settings', title: 'Settings', picture: 'settings-gear' },
]

/** Where one is and can go; how many applications are not as Git says; which cluster this window acts on. */
export function sideBar(page: Page, out: number, workspace: WorkspaceState, onCommands: () => void): TemplateResult {
  return html`<nav class="side" aria-label="Pages">
    <button class="quiet find" title="Commands (Ctrl-K)" @click=${onCommands}>
      ${icon('search')}<span>Search</span><kbd>Ctrl K</kbd>
    </button>
    <ul>
      ${ENTRIES.map(
        (entry) =>
          html`<li>
            <a
              href=${writeRoute({ page: entry.page })}
              aria-current=${entry.page === page ? 'page' : nothing}
              title=${entry.title}
            >
              ${icon(entry.picture)}<span class="word">${entry.title}</span>
              ${entry.page === 'applications' && out > 0 ? html`<span class="count" title="${out} not synced">${out}</span>` : nothing}
            </a>
          </li>`,
      )}
    </ul>
    ${context(workspace)}
  </nav>`
}

function context({ kind, workspace, context, production, simulated }: WorkspaceState): TemplateResult | typeof nothing {
  if (kind === 'none') return nothing
  const folder = workspace.split(/[\\/]/).findLast((part) => part !== '') ?? workspace
  return html`<div class="where">
    <a href=${writeRoute({ page: 'first-run' })} title=${`Repository ${workspace}. Open another one`}
      >${icon('repo')}<span class="word cut">${folder}</span></a
    >
    <a
      href=${writeRoute({ page: 'contexts' })}
      title=${`Context ${context}. Choose another one`}
      class=${production ? 'production' : ''}
    >
      ${icon('plug')}<span class="word cut">${context || 'current context'}</span>
      ${production ? html`<span class="tag production word">production</span>` : nothing}
      ${simulated ? html`<span class="tag word">simulated</span>` : nothing}
    </a>
  </div>`
}

export const SIDE_CSS = `
.side { display: flex; flex-direction: column; gap: 8px; background: var(--pl-side); border-inline-end: 1px solid var(--pl-line); padding: 10px 8px; min-height: 0; overflow: auto; }
.side a { display: flex; align-items: center; gap: 9px; padding: 5px 8px; border-radius: 5px; color: inherit; min-height: 30px; }
.side a:hover { background: var(--pl-hover); text-decoration: none; }
.side a[aria-current='page'] { background: var(--pl-selected); color: var(--pl-selected-fg); font-weight: 600; }
.side ul { display: grid; gap: 1px; }
.side .count { margin-inline-start: auto; border: 1px solid var(--pl-yellow); border-radius: 9px; padding: 0 6px; font-size: 0.86em; font-weight: 400; }
button.find { justify-content: flex-start; color: var(--pl-muted); border: 1px solid var(--pl-line); }
.find kbd { margin-inline-start: auto; font: inherit; font-size: 0.85em; }
.where { margin-top: auto; display: grid; gap: 1px; border-top: 1px solid var(--pl-line); padding-top: 8px; }
.where .production { color: var(--pl-red); }
@media (max-width: 860px) {
  .shell { grid-template-columns: auto minmax(0, 1fr) !important; }
  .side .word, .find span, .find kbd { display: none; }
  .side a, .find { justify-content: center; padding-inline: 6px; }
  .side .count { position: absolute; margin: -16px 0 0 20px; background: var(--pl-side); padding: 0 4px; }
}
@media (max-width: 560px) {
  .shell { grid-template-columns: minmax(0, 1fr) !important; grid-template-rows: auto minmax(0, 1fr); }
  .side { flex-direction: row; align-items: center; padding: 4px 6px; border-inline-end: 0; border-bottom: 1px solid var(--pl-line); gap: 4px; }
  .side ul { display: flex; }
  .side a { padding-inline: 5px; }
  .where { margin: 0 0 0 auto; border: 0; padding: 0; display: flex; }
}
`
