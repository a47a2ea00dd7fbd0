import { window, workspace } from 'vscode'
import { METHODS } from '../../shared/agent/contract.ts'
import type { App } from '../app.ts'

/** Looks again, at one application or at all; `hard` asks Git's remotes and the cluster anew. */
export async function refresh(app: App, argument: unknown, hard: boolean): Promise<void> {
  const { session } = app.connection
  if (session === '') return app.connection.start()
  const { kind, name } = (argument ?? {}) as { readonly kind?: unknown; readonly name?: unknown }
  const one = kind === 'application' && typeof name === 'string' ? { application: name } : {}
  await window.withProgress({ location: { viewId: 'plumbline.applications' } }, async () => {
    await app.connection.ask(METHODS.refresh, { session, ...one, hard })
    await app.connection.readMachine()
  })
}

/** Everything that a report of a problem needs, and no value of any object. */
export async function exportDiagnostics(app: App): Promise<void> {
  const { model, extension } = app
  const report = {
    version: (extension.extension.packageJSON as { readonly version?: unknown }).version,
    platform: `${process.platform} ${process.arch}, Node ${process.versions.node}`,
    agent: model.agent,
    context: model.context,
    problem: model.problem,
    failures: model.failures.map(({ stage, reason }) => ({ stage, reason })),
    applications: model.applications.map(({ sent, failure }) => ({
      failed: failure !== undefined,
      sync: sent?.snapshot.sync,
      health: sent?.snapshot.health.status,
      sourceType: sent?.snapshot.sourceType,
      resources: sent?.snapshot.resources.length,
      conditions: sent?.snapshot.conditions.map(({ type }) => type),
      observedAt: sent?.snapshot.observedAt,
    })),
  }
  const content = JSON.stringify(report, undefined, 2)
  await window.showTextDocument(await workspace.openTextDocument({ language: 'json', content }))
}
