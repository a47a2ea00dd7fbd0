import type { Command } from 'commander'
import type { ApplicationSnapshot } from '../../shared/model/status.ts'
import { resourceRows } from '../../shared/view/resource-rows.ts'
import { treeRows } from '../../shared/view/tree-rows.ts'
import { argoApplication } from '../../shared/view/argo-application.ts'
import { fullLabel } from '../../shared/view/words.ts'
import { resourceTable, treeTable } from '../format/tables.ts'
import { formatTable } from '../format/table.ts'
import { say, type Io } from '../io.ts'
import { outputOption, show } from '../output.ts'
import { addSessionFlags, applicationNamed, withSession, type SessionFlags } from '../session-flags.ts'

/** `plumbline app resources NAME`. */
export function appResourcesCommand(app: Command, io: Io): void {
  addSessionFlags(app.command('resources <name>'))
    .summary('list the resources of an application')
    .option('--orphaned', "what is in its namespace and no application's, where the project asks for that")
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  plumbline app resources guestbook -o name')
    .action(async (name: string, flags: SessionFlags & { readonly orphaned?: boolean }) => {
      await withSession(flags, io, async (session) => {
        const { snapshot } = await session.look(await applicationNamed(session, name, io), { signal: io.signal })
        if (flags.orphaned === true) return showOrphans(snapshot, flags, io)
        show(io, flags.output, {
          table: (options) => resourceTable(resourceRows(snapshot), options),
          data: () => argoApplication(snapshot)['status'] ?? {},
          names: () => snapshot.resources.map((resource) => fullLabel(resource.id)),
        })
      })
    })
}

function showOrphans({ application, orphans }: ApplicationSnapshot, flags: SessionFlags, io: Io): void {
  if (orphans === undefined) say(io, `project ${application.project} does not ask for orphanedResources`)
  const found = orphans ?? []
  show(io, flags.output, {
    table: (options) =>
      formatTable(
        [
          { header: 'ORPHAN', cell: ({ id }) => fullLabel(id) },
          { header: 'SINCE', cell: ({ createdAt }) => createdAt },
        ],
        found,
        options,
      ),
    data: () => found.map(({ id, version, createdAt }) => ({ ...id, version, createdAt })),
    names: () => found.map(({ id }) => fullLabel(id)),
  })
}

/** `plumbline app tree NAME`. */
export function appTreeCommand(app: Command, io: Io): void {
  addSessionFlags(app.command('tree <name>'))
    .summary('show the resources and what controllers made of them')
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  plumbline app tree guestbook')
    .action(async (name: string, flags: SessionFlags) => {
      await withSession(flags, io, async (session) => {
        const { snapshot } = await session.look(await applicationNamed(session, name, io), { signal: io.signal })
        show(io, flags.output, {
          table: (options) => treeTable(treeRows(snapshot), options),
          data: () =>
            snapshot.tree.map((node) => ({
              ...node.id,
              uid: node.uid,
              health: node.health ?? {},
              parents: node.parents,
            })),
          names: () => snapshot.tree.map((node) => fullLabel(node.id)),
        })
      })
    })
}
