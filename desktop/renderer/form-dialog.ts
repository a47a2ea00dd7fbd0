import { html, nothing, type TemplateResult } from 'lit-html'
import type { FormField, FormValue } from '../../shared/model/front.ts'
import { DialogView, type DialogParts } from '../../shared/ui/dialog.ts'
import { formField } from './form-fields.ts'

export type FormDialogProps = {
  readonly title: string
  readonly words: string
  readonly button: string
  readonly fields: readonly FormField[]
  readonly onClose: () => void
  readonly onSubmit: (values: Readonly<Record<string, FormValue>>) => void
}

/** A short form over the page. */
export class FormDialog extends DialogView<FormDialogProps> {
  #values: Readonly<Record<string, FormValue>> = {}

  protected parts({ title, words, button, fields }: FormDialogProps): DialogParts {
    return {
      title,
      body: html`
        ${words === '' ? nothing : html`<p class="muted break">${words}</p>`}
        ${fields.map((field) => this.#field(field))}
      `,
      buttons: html`
        <button @click=${() => this.close()}>Cancel</button>
        <button class="primary" ?disabled=${!this.#complete()} @click=${() => this.#submit()}>${button}</button>
      `,
    }
  }

  #field(field: FormField): TemplateResult {
    return formField(field, this.#valueOf(field), (value) => {
      this.#values = { ...this.#values, [field.key]: value }
      this.redraw()
    })
  }

  #valueOf({ key, value }: FormField): FormValue {
    return this.#values[key] ?? value
  }

  #complete(): boolean {
    return this.props.fields.every((field) => !field.required || this.#valueOf(field) !== '')
  }

  #submit(): void {
    if (!this.#complete()) return
    this.props.onSubmit(Object.fromEntries(this.props.fields.map((field) => [field.key, this.#valueOf(field)])))
    this.close()
  }
}
