import { html, nothing, type TemplateResult } from 'lit-html'
import type { RehearsalShown, TimelineStep } from '../model/front.ts'
import type { ResourceId } from '../model/kubernetes.ts'
import type { Plan } from '../model/plan.ts'
import type { HistoryDetailRow } from '../view/history-details.ts'
import type { PlanShown, SyncChoice } from '../view/host.ts'
import { outcomeWords } from '../view/outcome-rows.ts'
import { planRows, planWords } from '../view/plan-rows.ts'
import { fullLabel } from '../view/words.ts'
import type { ConfirmProps } from './confirm-dialog.ts'
import { notify, notifyError } from './notice.ts'
import type { ApplicationPanel } from './panel.ts'
import type { RehearseChoice } from './rehearse-dialog.ts'

type Question =
  | { readonly kind: 'sync'; readonly only: readonly ResourceId[] | undefined }
  | { readonly kind: 'rehearse' }
  | { readonly kind: 'confirm'; readonly props: Omit<ConfirmProps, 'onClose'> }

/** A rehearsal under way: what it told so far. */
export type Rehearsing = {
  readonly on: string
  readonly startedAt: number
  readonly steps: readonly TimelineStep[]
  readonly abort: AbortController
}

/** What a person can do in the panel, each with the question that comes before it. */
export class PanelActions {
  readonly #panel: ApplicationPanel
  #question: Question | undefined
  #refreshing = false
  #rehearsal: RehearsalShown | undefined
  #rehearsing: Rehearsing | undefined
  #plan: Plan | undefined

  constructor(panel: ApplicationPanel) {
    this.#panel = panel
  }

  get refreshing(): boolean {
    return this.#refreshing
  }

  /** The last rehearsal of this application that was seen here. */
  get rehearsal(): RehearsalShown | undefined {
    return this.#rehearsal
  }

  get rehearsing(): Rehearsing | undefined {
    return this.#rehearsing
  }

  /** The plan of the sync that was last confirmed here. */
  get plan(): Plan | undefined {
    return this.#plan
  }

  reset(): void {
    this.#question = undefined
    this.#rehearsing?.abort.abort()
    this.#rehearsing = undefined
    this.#rehearsal = undefined
    this.#plan = undefined
  }

  dialog(): TemplateResult | typeof nothing {
    const { host, application } = this.#panel.props
    const onClose = this.#close
    switch (this.#question?.kind) {
      case undefined:
        return nothing
      case 'sync': {
        const { only } = this.#question
        const props = { host, application, onClose, onSync: this.#sync, ...(only === undefined ? {} : { only }) }
        return html`<pl-sync-dialog .props=${props}></pl-sync-dialog>`
      }
      case 'rehearse':
        return html`<pl-rehearse-dialog
          .props=${{ application, onClose, onRehearse: this.#rehearse }}
        ></pl-rehearse-dialog>`
      case 'confirm':
        return html`<pl-confirm .props=${{ ...this.#question.props, onClose }}></pl-confirm>`
    }
  }

  askSync(only?: readonly ResourceId[]): void {
    this.#ask({ kind: 'sync', only })
  }

  askRehearse(): void {
    this.#ask({ kind: 'rehearse' })
  }

  readonly askDelete = (id: ResourceId, version: string, uid: string): void => {
    const { application, host } = this.#panel.props
    const onConfirm = (typedName: string | undefined): void => {
      const typed = typedName === undefined ? {} : { typedName }
      host
        .request('resource/delete', { application, id, version, uid, ...typed })
        .then(() => notify(this.#panel, { severity: 'info', text: `${fullLabel(id)} is being deleted` }))
        .catch((error: unknown) => notifyError(this.#panel, error, `${fullLabel(id)} was not deleted`))
    }
    const words = 'It is deleted from the cluster. What Git has of it comes back with the next sync.'
    this.#confirm({
      title: `Delete ${fullLabel(id)}?`,
      words,
      items: [],
      button: 'Delete',
      danger: true,
      typed: id.name,
      onConfirm,
    })
  }

  readonly askRollback = async (row: HistoryDetailRow): Promise<void> => {
    const { application, host } = this.#panel.props
    const asked = { application, id: row.id, prune: true }
    try {
      const { shown } = await host.request('application/rollback', { ...asked, dryRun: true })
      this.#confirmRollback(row, shown, (typedName) => {
        const typed = typedName === undefined ? {} : { typedName }
        void this.#run(`Roll back to ${row.revision}`, async () => {
          const { outcome } = await host.request('application/rollback', { ...asked, ...typed, dryRun: false })
          return outcome === undefined ? '' : outcomeWords(outcome)
        })
      })
    } catch (error) {
      notifyError(this.#panel, error, `${application} cannot go back to ${row.revision}`)
    }
  }

  async refresh(hard: boolean): Promise<void> {
    const { host, application } = this.#panel.props
    this.#refreshing = true
    this.#panel.redraw()
    try {
      await host.request('application/refresh', { application, hard })
    } catch (error) {
      notifyError(this.#panel, error, `${application} was not refreshed`)
    } finally {
      this.#refreshing = false
      this.#panel.redraw()
    }
  }

  async terminate(): Promise<void> {
    const { host, application } = this.#panel.props
    await this.#run('Terminate', async () => {
      const ended = await host.request('application/terminate', { application })
      return ended ? 'the sync ends after the steps that run' : 'no sync is running'
    })
  }

  readonly #sync = (choice: SyncChoice, typedName: string | undefined): void => {
    const { host, application } = this.#panel.props
    const typed = typedName === undefined ? {} : { typedName }
    void this.#run(`Sync of ${application}`, async () => {
      const outcome = await host.request('application/sync', { application, ...choice, ...typed })
      return outcome === null ? 'nothing to do' : outcomeWords(outcome)
    })
  }

  readonly #rehearse = (choice: RehearseChoice): void => {
    const { host, application } = this.#panel.props
    this.#rehearsing?.abort.abort()
    const abort = new AbortController()
    this.#rehearsing = { on: choice.on, startedAt: Date.now(), steps: [], abort }
    this.#panel.show('timeline')
    const onPart = (step: TimelineStep): void => {
      if (this.#rehearsing?.abort === abort)
        this.#rehearsing = { ...this.#rehearsing, steps: [...this.#rehearsing.steps, step] }
      this.#panel.redraw()
    }
    void this.#run(`Rehearsal of ${application}`, async () => {
      try {
        this.#rehearsal = await host.request(
          'application/rehearse',
          { application, ...choice },
          { signal: abort.signal, onPart },
        )
        // The timeline shows what came of it.
        return ''
      } finally {
        if (this.#rehearsing?.abort === abort) this.#rehearsing = undefined
      }
    })
  }

  async #run(what: string, work: () => Promise<string>): Promise<void> {
    try {
      const words = await work()
      if (words !== '') notify(this.#panel, { severity: 'info', text: `${what}: ${words}` })
    } catch (error) {
      notifyError(this.#panel, error, what)
    }
    this.#panel.redraw()
  }

  #confirmRollback(row: HistoryDetailRow, shown: PlanShown | undefined, onConfirm: ConfirmProps['onConfirm']): void {
    const steps = shown === undefined ? [] : planRows(shown.plan)
    this.#confirm({
      title: `Roll back to ${row.revision}?`,
      words:
        shown === undefined
          ? row.subject
          : `${planWords(shown.plan)}. Git stays as it is: the next sync goes forward again.`,
      items: steps.map(({ mark, label, detail }) => `${mark.word} ${label}${detail === '' ? '' : ` · ${detail}`}`),
      button: `Roll back on ${shown?.context ?? 'the cluster'}`,
      danger: steps.some(({ mark }) => mark.word === 'prune'),
      typed: shown?.production === true ? shown.context : '',
      onConfirm,
    })
  }

  #confirm(props: Omit<ConfirmProps, 'onClose'>): void {
    this.#ask({ kind: 'confirm', props })
  }

  #ask(question: Question): void {
    this.#question = question
    this.#panel.redraw()
  }

  readonly #close = (): void => {
    this.#question = undefined
    this.#panel.redraw()
  }
}
