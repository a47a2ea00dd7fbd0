import type { AgentReport } from '../../shared/model/agent-install.ts'
import { agentStatus, uninstallAgent } from '../../shared/session/agent-installation.ts'
import { timeAgo } from '../../shared/view/time.ts'
import { CliError } from '../cli-error.ts'
import { confirm } from '../confirm.ts'
import { formatTable } from '../format/table.ts'
import { print, say, type Io, type SetExit } from '../io.ts'
import { show } from '../output.ts'
import { withSession, type SessionFlags } from '../session-flags.ts'

export type StatusFlags = SessionFlags

export type UninstallFlags = SessionFlags & {
  readonly keepRecords?: boolean
  readonly namespaceScoped?: readonly string[]
  readonly yes?: boolean
}

export async function statusFromCli(flags: StatusFlags, io: Io, setExit: SetExit): Promise<void> {
  await withSession(flags, io, async (session) => {
    const status = await agentStatus(await session.cluster(), { signal: io.signal })
    const now = Date.now()
    if ((flags.output ?? 'table') === 'table') {
      const { installed, image, ready, wanted, leader, renewedAt, problems } = status
      say(io, installed ? `${image}, ${ready} of ${wanted} ready` : 'no agent is installed in this cluster')
      say(io, leader === '' ? 'nobody holds the Lease' : `${leader} may act (${timeAgo(renewedAt, now)})`)
      for (const problem of problems) say(io, `problem: ${problem}`)
    }
    const leads = (report: AgentReport): boolean => status.leader.startsWith(`${report.name}_`)
    show(io, flags.output, {
      table: (options) =>
        formatTable<AgentReport>(
          [
            { header: 'AGENT', cell: (row) => row.name, least: 8 },
            { header: 'ROLE', cell: (row) => (leads(row) ? 'leader' : 'stand-by') },
            { header: 'VERSION', cell: (row) => row.version },
            {
              header: 'LAST PASS',
              cell: (row) => (row.lastPass === '' ? 'none yet' : timeAgo(row.lastPass, now)),
              least: 8,
            },
            { header: 'APPLICATIONS', cell: (row) => countsOf(row), least: 12 },
          ],
          status.agents,
          options,
        ),
      data: () => ({ ...status }),
      names: () => status.agents.map(({ name }) => name),
    })
    if (!status.installed && status.agents.length === 0) setExit(1)
  })
}

/** Counts before adjectives: `3, 1 drifted`. */
function countsOf({ applications }: AgentReport): string {
  const drifted = applications.filter(({ sync }) => sync === 'OutOfSync').length
  const failing = applications.filter(({ message }) => message !== '').length
  const parts = [...(drifted > 0 ? [`${drifted} drifted`] : []), ...(failing > 0 ? [`${failing} with a message`] : [])]
  return [String(applications.length), ...parts].join(', ')
}

export async function uninstallFromCli(flags: UninstallFlags, io: Io): Promise<void> {
  await withSession(flags, io, async (session) => {
    const cluster = await session.cluster()
    const keepRecords = flags.keepRecords === true
    const extra = keepRecords ? '' : ', and all that Plumbline knows of its applications (inventory, history)'
    if (flags.yes !== true && !(await confirm(`Delete the agent from ${cluster.context}${extra}?`, io)))
      throw new CliError('refused', 'nothing was deleted')
    const { namespaceScoped: namespaces } = flags
    const deleted = await uninstallAgent(cluster, { keepRecords, namespaces, signal: io.signal })
    for (const name of deleted) print(io, `${name} deleted`)
    if (deleted.length === 0) say(io, 'there was no agent')
  })
}
