import { html, nothing, type TemplateResult } from 'lit-html'
import type { FormField, FormValue } from '../../shared/model/front.ts'

/** One question of a form with its answer so far. */
export function formField(field: FormField, value: FormValue, onChange: (value: FormValue) => void): TemplateResult {
  const { title, description, kind, required } = field
  if (kind === 'boolean')
    return html`<label class="option">
      <input
        type="checkbox"
        .checked=${value === true}
        @change=${(event: Event) => onChange((event.target as HTMLInputElement).checked)}
      />
      <span>${title}${description === '' ? nothing : html`<small>${description}</small>`}</span>
    </label>`
  return html`<label class="field">
    <span>${title}${required ? html` <span aria-hidden="true">*</span>` : nothing}</span>
    ${control(field, value, onChange)}
    ${description === '' ? nothing : html`<small class="muted">${description}</small>`}
  </label>`
}

function control(
  { kind, choices, required }: FormField,
  value: FormValue,
  onChange: (value: FormValue) => void,
): TemplateResult {
  const onText = (event: Event): void => onChange((event.target as HTMLInputElement).value)
  switch (kind) {
    case 'choice':
      return html`<select @change=${onText}>
        ${choices.map((choice) => html`<option value=${choice} ?selected=${choice === value}>${choice || 'default'}</option>`)}
      </select>`
    case 'number':
      return html`<input
        type="number"
        min="0"
        ?required=${required}
        .value=${value === 0 ? '' : String(value)}
        @input=${(event: Event) => onChange((event.target as HTMLInputElement).valueAsNumber || 0)}
      />`
    case 'list':
      return html`<textarea
        rows="3"
        spellcheck="false"
        .value=${Array.isArray(value) ? value.join('\n') : String(value)}
        @input=${(event: Event) => onChange(linesOf((event.target as HTMLTextAreaElement).value))}
      ></textarea>`
    case 'multiline':
      return html`<textarea rows="5" spellcheck="false" .value=${String(value)} @input=${onText}></textarea>`
    case 'secret':
      return html`<input
        type="password"
        autocomplete="off"
        ?required=${required}
        .value=${String(value)}
        @input=${onText}
      />`
    case 'text':
    case 'boolean':
      return html`<input
        ?required=${required}
        spellcheck="false"
        autocomplete="off"
        .value=${String(value)}
        @input=${onText}
      />`
  }
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
