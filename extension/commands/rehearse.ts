import { commands, l10n, window, workspace, type Disposable, type Progress, Uri } from 'vscode'
import { METHODS } from '../../shared/agent/contract.ts'
import type { RehearsalShown } from '../../shared/model/front.ts'
import { countOf } from '../../shared/view/words.ts'
import type { App } from '../app.ts'
import { signalOf } from '../signal.ts'
import { withProgress } from './run-operation.ts'
import { syncApplication } from './sync.ts'
import { applicationOf } from './target.ts'

const SCHEME = 'plumbline-rehearsal'
let tickets = 0

type Place = { readonly label: string; readonly description: string; readonly on: string }

/** Runs the sync on a throw-away copy of the cluster first, and shows what it came to. */
export async function rehearse(app: App, argument?: unknown): Promise<void> {
  const application = await applicationOf(argument, app, l10n.t('Which application is to be rehearsed?'))
  if (application === undefined) return
  const place = await window.showQuickPick(placesOf(app), {
    title: l10n.t('Rehearse {0}', application),
    placeHolder: l10n.t('Where is it rehearsed?'),
  })
  if (place === undefined) return
  const shown = await run(app, application, place.on)
  if (shown === undefined) return
  app.log.info(`rehearsal ${shown.id} of ${application}: ${shown.summary}`)
  await showReport(shown)
  const sync = l10n.t('Sync…')
  const answer = shown.passed
    ? await window.showInformationMessage(`${application}: ${shown.summary}`, sync)
    : await window.showWarningMessage(`${application}: ${shown.summary}`)
  if (answer === sync) await syncApplication(app, { kind: 'application', name: application })
}

async function run(app: App, application: string, on: string): Promise<RehearsalShown | undefined> {
  tickets += 1
  const ticket = `command-${tickets}`
  return withProgress(l10n.t('Rehearsing {0}', application), async (token, progress) => {
    const subscription = followed(app, ticket, progress)
    try {
      const params = { session: app.connection.session, application, prune: true, ticket, on, inject: [] }
      return await app.connection.ask(METHODS.rehearse, params, signalOf(token))
    } finally {
      subscription.dispose()
    }
  })
}

function followed(app: App, ticket: string, progress: Progress<{ message?: string }>): Disposable {
  return app.connection.onRehearsal((told) => {
    if (told.ticket !== ticket) return
    const { event } = told
    switch (event.kind) {
      case 'filling':
        return progress.report({ message: event.what })
      case 'filled':
        return progress.report({ message: countOf(event.objects, 'object') })
      case 'running':
        return progress.report({ message: `${event.stage}/${event.stages}` })
      case 'step':
        return progress.report({ message: `${event.step.id.kind} ${event.step.id.name}` })
      case 'health':
      case 'ready':
      case 'ended':
    }
  })
}

function placesOf(app: App): readonly Place[] {
  const embedded = {
    label: `$(beaker) ${l10n.t('The embedded cluster')}`,
    description: l10n.t('simulated; ready at once'),
    on: 'embedded',
  }
  const others = app.model.contexts
    .filter(({ simulated }) => !simulated)
    .map(({ name, server }) => ({ label: `$(server-environment) ${name}`, description: server, on: name }))
  return [embedded, ...others]
}

const reports = new Map<string, string>()
let provider: Disposable | undefined

/** As a page that can be read and handed on. */
async function showReport({ id, application, markdown }: RehearsalShown): Promise<void> {
  reports.set(id, markdown)
  provider ??= workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ query }) => reports.get(query) ?? '',
  })
  const path = `/${l10n.t('Rehearsal of {0}', application)}.md`
  await commands.executeCommand('markdown.showPreview', Uri.from({ scheme: SCHEME, path, query: id }))
}
