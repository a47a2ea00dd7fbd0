import path from 'node:path'
import type { Command } from 'commander'
import { keyFolder } from '../../shared/session/keyring.ts'
import { verifyCommits, type JudgedCommit } from '../../shared/session/verify-commits.ts'
import { verdictMark } from '../../shared/view/marks.ts'
import { formatTable } from '../format/table.ts'
import { markParts } from '../format/tables.ts'
import { say, type Io, type SetExit } from '../io.ts'
import { outputOption, show } from '../output.ts'
import type { OutputFormat } from '../session-flags.ts'

type Flags = {
  readonly repo?: string
  readonly keys?: string
  readonly policy?: string
  readonly output?: OutputFormat
}

/** `plumbline commit verify`. */
export function commitCommands(program: Command, io: Io, setExit: SetExit): void {
  const commit = program.command('commit').summary('signed commits')
  commit
    .command('verify [revision]')
    .summary('say of a commit, a tag or a range whether the right people signed it')
    .description(
      'Judges OpenPGP, SSH and X.509 signatures by the trusted keys, without gpg or ssh-keygen. Exits with 1 unless all are verified.',
    )
    .option('--repo <dir>', 'repository (default: the one around this folder)')
    .option('--keys <path>', 'folder or file of trusted keys (default: those of `plumbline key list`)')
    .option('--policy <file>', 'AppProject file whose signature policy the revision is held against')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline commit verify\n  plumbline commit verify v1.0..main\n  plumbline commit verify v1.2 --keys keys/ -o json',
    )
    .action(async (revision: string | undefined, flags: Flags) => {
      const judged = await verifyCommits({
        repository: path.resolve(io.cwd, flags.repo ?? '.'),
        revision: revision ?? 'HEAD',
        keys: flags.keys === undefined ? keyFolder(io.env) : path.resolve(io.cwd, flags.keys),
        signal: io.signal,
        ...(flags.policy === undefined ? {} : { policy: path.resolve(io.cwd, flags.policy) }),
      })
      showJudged(judged, flags, revision?.includes('..') === true, io)
      for (const { refusal } of judged) if (refusal !== undefined) say(io, refusal)
      setExit(judged.every(passes) ? 0 : 1)
    })
}

function passes({ verdict, refusal }: JudgedCommit): boolean {
  return verdict.verdict === 'verified' && refusal === undefined
}

function showJudged(judged: readonly JudgedCommit[], flags: Flags, many: boolean, io: Io): void {
  const verdicts = judged.map(({ verdict }) => verdict)
  show(io, flags.output, {
    table: (options) =>
      formatTable<JudgedCommit>(
        [
          { header: 'COMMIT', cell: ({ verdict }) => verdict.sha.slice(0, 7), least: 7 },
          { header: 'VERDICT', cell: ({ verdict }) => markParts(verdictMark(verdict)), least: 10 },
          { header: 'REASON', cell: ({ verdict }) => verdict.reason, least: 8 },
          { header: 'KEY', cell: ({ verdict }) => verdict.keyId ?? verdict.fingerprint ?? '', least: 8 },
          { header: 'AUTHOR', cell: ({ author }) => author, least: 6 },
          { header: 'SUBJECT', cell: ({ subject }) => subject, least: 8 },
        ],
        judged,
        options,
      ),
    data: () => (many ? verdicts : (verdicts[0] ?? null)),
    names: () => verdicts.map(({ sha }) => sha),
  })
}
