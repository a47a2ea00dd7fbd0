import path from 'node:path'
import { Position, Range, Uri, window, workspace } from 'vscode'
import { AgentError } from '../../shared/agent/agent-error.ts'
import { panelAnswers } from '../../shared/agent/panel-answers.ts'
import { resourceKey } from '../../shared/model/kubernetes.ts'
import type { Place } from '../../shared/model/manifest.ts'
import type { HostAnswers } from '../../shared/view/host-channel.ts'
import type { PanelMethods } from '../../shared/view/host.ts'
import { PANEL_PARAMS } from '../../shared/view/panel-params.ts'
import type { App } from '../app.ts'
import { ignoreIn } from '../commands/edit.ts'
import { openLive } from '../commands/look.ts'
import { isProductionHere } from '../production-here.ts'

/** All that an application's panel may ask of the editor; what it sends is checked first. */
export function panelAnswersOf(app: App, watched: Set<string>): HostAnswers {
  const { model, connection, extension } = app
  const { version } = extension.extension.packageJSON as { readonly version?: unknown }
  const port = {
    ask: connection.ask,
    abilities: {
      front: 'vscode',
      openFiles: true,
      editFiles: true,
      pickFolders: true,
      version: String(version),
    } as const,
    session: () => connection.session,
    contextOf: (application: string) => model.application(application)?.head.context ?? model.context,
    isProduction: (context: string) => isProductionHere(context, model),
    lastSnapshot: (application: string) => model.application(application)?.sent,
  }
  return checked({
    ...panelAnswers(port, watched),
    'application/ignore': async ({ application, id, path: pointer }) =>
      ignoreIn(app, { application, key: resourceKey(id) }, pointer),
    'open/place': async (place) => {
      await openPlace(app, place)
      return null
    },
    'open/object': async ({ application, id }) => {
      await openLive(app, { application, key: resourceKey(id) })
      return null
    },
  })
}

/** The page draws what a repository and a cluster say; what it asks for is not taken at its word. */
function checked(answers: HostAnswers): HostAnswers {
  const table = Object.entries(answers).map(([method, answer]) => {
    const check = PANEL_PARAMS[method as keyof PanelMethods] as ((params: unknown) => boolean) | undefined
    const guarded = async (params: unknown, options: never): Promise<unknown> => {
      if (check?.(params) !== true) throw new AgentError('failed', `${method} was asked for in another way`, 'params')
      return (answer as (params: unknown, options: never) => Promise<unknown>)(params, options)
    }
    return [method, guarded] as const
  })
  return Object.fromEntries(table) as HostAnswers
}

/** @throws AgentError for a place that is none of the workspace */
async function openPlace({ model }: App, { file, line, column }: Place): Promise<void> {
  const root = model.session?.root
  const target = path.resolve(root ?? '', file)
  if (root === undefined || path.isAbsolute(file) || !target.startsWith(`${root}${path.sep}`))
    throw new AgentError('failed', `${file} is no file of this workspace`, 'outside')
  const document = await workspace.openTextDocument(Uri.file(target))
  const at = new Position(Math.min(Math.max(line - 1, 0), document.lineCount - 1), Math.max(column - 1, 0))
  await window.showTextDocument(document, { preview: true, selection: new Range(at, at) })
}
