import type { Command } from 'commander'
import type { Pass } from '../../shared/core/status.ts'
import { applicationRow } from '../../shared/view/application-row.ts'
import { argoApplication } from '../../shared/view/argo-application.ts'
import { resourceRows } from '../../shared/view/resource-rows.ts'
import { timeAgo } from '../../shared/view/time.ts'
import { fullLabel } from '../../shared/view/words.ts'
import { resourceTable, markParts } from '../format/tables.ts'
import { formatTable, type CellPart, type TableOptions } from '../format/table.ts'
import type { Io } from '../io.ts'
import { outputOption, show } from '../output.ts'
import { addSessionFlags, applicationNamed, withSession, type SessionFlags } from '../session-flags.ts'
import { objectsOf } from './app-list.ts'
import { revisionOf, type RevisionFlags, addRevisionFlags } from './revision-flags.ts'

/** `plumbline app get NAME`. */
export function appGetCommand(app: Command, io: Io): void {
  addRevisionFlags(addSessionFlags(app.command('get <name>')))
    .summary('show one application and its resources')
    .description('Shows an application: where it comes from, where it goes, how it stands, and each of its resources.')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline app get guestbook\n  plumbline app get guestbook -o json | jq .status.sync',
    )
    .action(async (name: string, flags: SessionFlags & RevisionFlags) => {
      await withSession(flags, io, async (session) => {
        const application = await applicationNamed(session, name, io)
        const pass = await session.look(application, { ...revisionOf(flags), signal: io.signal })
        showApplication(pass, flags, io)
      })
    })
}

/** Prints an application in the form asked for. */
export function showApplication(pass: Pass, flags: SessionFlags, io: Io): void {
  show(io, flags.output, {
    table: (options) => `${summary(pass, options)}\n${resourceTable(resourceRows(pass.snapshot), options)}`,
    data: () => argoApplication(pass.snapshot, objectsOf(pass)),
    names: () => pass.snapshot.resources.map((resource) => fullLabel(resource.id)),
  })
}

type Line = { readonly name: string; readonly parts: readonly CellPart[] }

function summary({ snapshot }: Pass, options: TableOptions): string {
  const row = applicationRow(snapshot)
  const { application, operation, conditions } = snapshot
  const source = application.sources
    .map(({ repoURL, path, chart, targetRevision }) => `${repoURL} · ${chart ?? path} · ${targetRevision}`)
    .join(', ')
  const lines: Line[] = [
    { name: 'Name:', parts: [{ text: application.name, colour: 'bold' }] },
    { name: 'Project:', parts: [{ text: application.project }] },
    { name: 'Source:', parts: [{ text: source }] },
    { name: 'Revision:', parts: [{ text: revisionText(snapshot) }, ...markParts(row.verdict)] },
    { name: 'Destination:', parts: [{ text: row.destination }] },
    { name: 'Sync:', parts: [...markParts(row.sync), { text: row.drift }] },
    { name: 'Health:', parts: markParts(row.health) },
    ...(operation === undefined
      ? []
      : [
          {
            name: 'Last sync:',
            parts: [{ text: `${operation.phase}, ${timeAgo(operation.finishedAt, Date.now())}: ${operation.message}` }],
          },
        ]),
    ...conditions.map(({ type, message }): Line => ({ name: `${type}:`, parts: [{ text: message, colour: 'red' }] })),
  ]
  const columns = [
    { header: '', cell: (line: Line) => line.name },
    { header: '', cell: (line: Line) => line.parts },
  ]
  // A condition is read whole, whatever the width.
  return formatTable(columns, lines, { ...(options.paint ? { paint: options.paint } : {}), header: false })
}

function revisionText({ revision }: Pass['snapshot']): string {
  if (revision === undefined) return ''
  const commit = `${revision.name}@${revision.sha.slice(0, 7)}`
  return revision.kind === 'worktree'
    ? `files on disk, over ${revision.sha.slice(0, 7)}`
    : `${commit} ${revision.subject} (${revision.author})`
}
