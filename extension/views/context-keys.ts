import { commands, workspace } from 'vscode'
import type { Model } from '../model.ts'

/** What the empty views say, decided by one word. */
export type Stage = 'no-folder' | 'virtual' | 'untrusted' | 'starting' | 'failed' | 'problem' | 'empty' | 'ready'

export function stageOf(model: Pick<Model, 'agent' | 'problem' | 'searched' | 'applications'>): Stage {
  if (workspace.workspaceFolders === undefined || workspace.workspaceFolders.length === 0) return 'no-folder'
  if (workspace.workspaceFolders.every(({ uri }) => uri.scheme !== 'file')) return 'virtual'
  if (!workspace.isTrusted) return 'untrusted'
  if (model.agent.kind === 'waiting') return 'failed'
  if (model.problem !== undefined) return 'problem'
  if (!model.searched) return 'starting'
  return model.applications.length === 0 ? 'empty' : 'ready'
}

/** Keeps the context keys that package.json's `when` clauses name as the model is. */
export function keepContextKeys(model: Model): { dispose(): void } {
  const last = new Map<string, unknown>()
  const set = (key: string, value: unknown): void => {
    if (last.get(key) === value) return
    last.set(key, value)
    void commands.executeCommand('setContext', key, value)
  }
  const draw = (): void => {
    set('plumbline.stage', stageOf(model))
    set(
      'plumbline.hasDrift',
      model.applications.some(({ sent }) => sent?.snapshot.sync === 'OutOfSync'),
    )
    set(
      'plumbline.syncing',
      model.applications.some(({ syncing }) => syncing !== undefined),
    )
  }
  draw()
  return model.onChange(draw)
}
