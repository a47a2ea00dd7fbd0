import type { RequestType } from 'vscode-jsonrpc/node'
import { agentManifests } from '../clusters/agent/agent-manifests.ts'
import type { Cancellable } from '../model/ports.ts'
import { agentStatus, installAgent, uninstallAgent } from '../session/agent-installation.ts'
import { planInstallation } from '../session/plan-installation.ts'
import { toYamlStream } from '../view/yaml.ts'
import { INSTALL_METHODS } from './cluster-contract.ts'
import type { FailureData } from './contract.ts'
import type { AgentHost } from './host.ts'

type Served = {
  readonly host: AgentHost
  readonly answer: <P, R>(
    type: RequestType<P, R, FailureData>,
    work: (params: P, options: Cancellable) => Promise<R>,
  ) => void
}

/** Answers for the agent in a session's cluster. */
export function answerInstallMethods({ host, answer }: Served): void {
  answer(INSTALL_METHODS.install, async ({ session: id, dryRun, ...wish }, options) => {
    const { session } = await host.get(id)
    const plan = await planInstallation(session, wish, options)
    const objects = agentManifests(plan.options)
    if (!dryRun) await installAgent(await session.cluster(), plan.options, options)
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`)
    return { objects: names, yaml: toYamlStream(objects), warnings: plan.warnings }
  })
  answer(INSTALL_METHODS.status, async ({ session }, options) =>
    agentStatus(await (await host.get(session)).session.cluster(), options),
  )
  answer(INSTALL_METHODS.uninstall, async ({ session, keepRecords }, options) =>
    uninstallAgent(await (await host.get(session)).session.cluster(), { ...options, keepRecords }),
  )
}
