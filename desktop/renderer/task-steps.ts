import { html, nothing, type TemplateResult } from 'lit-html'
import type { TaskPart } from '../../shared/model/front.ts'
import { icon } from '../../shared/ui/icons.ts'

type Step = Omit<Extract<TaskPart, { kind: 'step' }>, 'kind'>

/** A long task as far as it told of itself. */
export type TaskState = { readonly steps: readonly Step[]; readonly lines: readonly string[] }

const MOST_LINES = 400

export function withPart({ steps, lines }: TaskState, part: TaskPart): TaskState {
  if (part.kind === 'line') return { steps, lines: [...lines, part.text].slice(-MOST_LINES) }
  const { name, state } = part
  const known = steps.some((step) => step.name === name)
  return {
    lines,
    steps: known ? steps.map((step) => (step.name === name ? { name, state } : step)) : [...steps, { name, state }],
  }
}

const PICTURES = { running: 'sync~spin', done: 'pass', failed: 'error' } as const
const TONES = { running: 'tone-blue', done: 'tone-green', failed: 'tone-red' } as const

/** Steps with ticks, and the tool's own lines in a fold. */
export function taskSteps({ steps, lines }: TaskState): TemplateResult {
  return html`<ol class="steps" role="status">
      ${steps.map(
        ({ name, state }) =>
          html`<li class="row">
            <span class=${TONES[state]}>${icon(PICTURES[state])}</span><span class="break">${name}</span>
            <span class="visually-hidden">${state}</span>
          </li>`,
      )}
    </ol>
    ${
      lines.length === 0
        ? nothing
        : html`<details class="lines">
            <summary>What the tool says</summary>
            <pre tabindex="0">${lines.join('\n')}</pre>
          </details>`
    }`
}

export const TASK_CSS = `
.steps { display: grid; gap: 6px; }
.lines pre { max-height: 260px; overflow: auto; border: 1px solid var(--pl-line); border-radius: 5px; padding: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--pl-muted); }
`
