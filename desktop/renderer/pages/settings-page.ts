import { html, type TemplateResult } from 'lit-html'
import type { FormField, FormValue } from '../../../shared/model/front.ts'
import { sheet } from '../../../shared/ui/element.ts'
import type { Host } from '../../../shared/ui/message-host.ts'
import { notifyError } from '../../../shared/ui/notice.ts'
import { formField } from '../form-fields.ts'
import { PageView } from '../page.ts'

const css = sheet(`
.settings { display: grid; gap: 16px; max-width: 640px; }
`)

/** Settings, each kept as soon as it is changed. */
export class SettingsPage extends PageView<readonly FormField[]> {
  protected readonly heading = 'Settings'
  protected readonly stale = 'settings'
  readonly #timers = new Map<string, number>()
  #values: Readonly<Record<string, FormValue>> = {}

  constructor() {
    super(css)
  }

  protected async ask(host: Host): Promise<readonly FormField[]> {
    const fields = await host.request('settings/list', null)
    this.#values = Object.fromEntries(fields.map(({ key, value }) => [key, value]))
    return fields
  }

  protected buttons(): TemplateResult {
    return html``
  }

  protected list(fields: readonly FormField[]): TemplateResult {
    return html`<form class="settings" @submit=${(event: Event) => event.preventDefault()}>
      ${fields.map((field) => formField(field, this.#values[field.key] ?? field.value, (value) => this.#change(field, value)))}
    </form>`
  }

  /** Words are kept once a person stops typing. */
  #change({ key, title, kind }: FormField, value: FormValue): void {
    this.#values = { ...this.#values, [key]: value }
    this.redraw()
    clearTimeout(this.#timers.get(key))
    const keep = (): void =>
      void this.props.host
        .request('settings/set', { key, value })
        .catch((error: unknown) => notifyError(this, error, `${title} was not kept`))
    this.#timers.set(key, window.setTimeout(keep, kind === 'boolean' || kind === 'choice' ? 0 : 500))
  }
}
