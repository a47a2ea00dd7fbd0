import type { Command } from 'commander'
import type { Pass } from '../../shared/core/status.ts'
import { resourceKey } from '../../shared/model/kubernetes.ts'
import { driftList } from '../../shared/view/drift-list.ts'
import { fieldSentence } from '../../shared/view/field-sentence.ts'
import { objectDiff } from '../../shared/view/object-diff.ts'
import { driftCounts, driftWords, fullLabel } from '../../shared/view/words.ts'
import { failedPass } from '../explain.ts'
import { diffText } from '../format/diff-text.ts'
import { say, type ExitCode, type Io, type SetExit } from '../io.ts'
import { outputOption, show, stdoutPaint } from '../output.ts'
import { addSessionFlags, applicationNamed, withSession, type SessionFlags } from '../session-flags.ts'
import { addRevisionFlags, revisionOf, type RevisionFlags } from './revision-flags.ts'

type Flags = SessionFlags & RevisionFlags & { readonly refresh?: boolean }

/** `plumbline app diff NAME`. */
export function appDiffCommand(app: Command, io: Io, setExit: SetExit): void {
  addRevisionFlags(addSessionFlags(app.command('diff <name>')))
    .summary('show how the cluster differs from Git')
    .description(
      'Shows every field that a sync would change: its value in the cluster and in Git, who set it and when, and the line in Git. ' +
        'Writes nothing. Exits with 1 where there is a difference.',
    )
    .option('--refresh', 'ask Git and the cluster anew')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline app diff guestbook\n  plumbline app diff guestbook --worktree\n  plumbline app diff guestbook -o json',
    )
    .action(async (name: string, flags: Flags) => {
      await withSession(flags, io, async (session) => {
        const application = await applicationNamed(session, name, io)
        if (flags.refresh === true) session.source.expire()
        const pass = await session.look(application, { ...revisionOf(flags), signal: io.signal })
        setExit(showDiff(pass, flags, io))
      })
    })
}

function showDiff(pass: Pass, flags: Flags, io: Io): ExitCode {
  const { snapshot } = pass
  if (snapshot.failure !== undefined) throw failedPass(snapshot)
  const now = Date.now()
  const drifted = snapshot.resources.filter(({ drift }) => drift.state !== 'synced')
  show(io, flags.output, {
    table: () =>
      diffText(
        drifted.map(({ drift }) => diffOf(pass, drift, now)),
        stdoutPaint(io),
      ),
    data: () => driftList(snapshot),
    names: () => drifted.map(({ id }) => fullLabel(id)),
  })
  for (const { id, drift } of drifted) {
    if (drift.failure !== undefined) say(io, `${fullLabel(id)}: ${drift.failure.message}`)
    for (const field of drift.fields) say(io, `${fullLabel(id)}: ${fieldSentence(field, now)}${placeText(field.place)}`)
  }
  say(
    io,
    drifted.length === 0 ? `${snapshot.application.name} is in sync` : driftWords(driftCounts(snapshot.resources)),
  )
  const unknown = drifted.some(({ drift }) => drift.state === 'unknown')
  return unknown ? 2 : drifted.length === 0 ? 0 : 1
}

function diffOf(
  pass: Pass,
  drift: Pass['snapshot']['resources'][number]['drift'],
  now: number,
): ReturnType<typeof objectDiff> {
  const key = resourceKey(drift.id)
  const desired = pass.desired?.objects.get(key)?.object
  return objectDiff(drift, { desired, live: pass.live.get(key)?.object }, { now })
}

function placeText(place: { readonly file: string; readonly line: number } | undefined): string {
  return place === undefined ? '' : ` (${place.file}:${place.line})`
}
