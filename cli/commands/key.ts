import path from 'node:path'
import type { Command } from 'commander'
import { addKeys, inspectKeys, removeKeys, storedKeyFiles, type StoredKeys } from '../../shared/session/key-store.ts'
import { keyFolder } from '../../shared/session/keyring.ts'
import { CliError } from '../cli-error.ts'
import { confirm } from '../confirm.ts'
import { formatTable } from '../format/table.ts'
import { say, type Io } from '../io.ts'
import { outputOption, show } from '../output.ts'
import type { OutputFormat } from '../session-flags.ts'

type Key = StoredKeys['keys'][number] & { readonly file: string }

/** `plumbline key list | add FILE | remove ID`. */
export function keyCommands(program: Command, io: Io): void {
  const key = program.command('key').summary('keys whose signatures are trusted')
  key
    .command('list')
    .alias('ls')
    .summary('list the trusted keys')
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  plumbline key list')
    .action(async (flags: { readonly output?: OutputFormat }) => list(flags.output, io))
  key
    .command('add <file>')
    .summary('trust the keys of a file')
    .description(
      'Takes OpenPGP keys, an allowed_signers file, SSH public keys, or X.509 roots. Shows what it found and asks.',
    )
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExamples:\n  gpg --armor --export ada@example.com > ada.asc && plumbline key add ada.asc')
    .action(async (file: string, flags: { readonly yes?: boolean }) =>
      add(path.resolve(io.cwd, file), flags.yes === true, io),
    )
  key
    .command('remove <id>')
    .alias('rm')
    .summary('no longer trust the file with this key')
    .description('Takes a fingerprint, a key id or the name of a file of the keyring.')
    .addHelpText('after', '\nExamples:\n  plumbline key remove 0123456789ABCDEF')
    .action(async (id: string) => {
      const removed = await removeKeys(id, keyFolder(io.env))
      if (removed === undefined)
        throw new CliError('not-found', `there is no trusted key ${id}`, '`plumbline key list` shows them')
      say(io, `${removed.file} is no longer trusted`)
    })
}

async function list(output: OutputFormat | undefined, io: Io): Promise<void> {
  const files = await storedKeyFiles(keyFolder(io.env))
  const keys = files.flatMap(({ file, keys: found }) => found.map((key): Key => ({ ...key, file })))
  for (const { problems } of files)
    for (const { source, message } of problems) say(io, `warning: ${source}: ${message}`)
  if (keys.length === 0) say(io, 'no key is trusted yet; `plumbline key add FILE` adds some')
  show(io, output, {
    table: (options) => keyTable(keys, options),
    data: () => keys,
    names: () => keys.map((key) => key.fingerprint),
  })
}

function keyTable(keys: readonly Key[], options: Parameters<typeof formatTable>[2]): string {
  return formatTable<Key>(
    [
      { header: 'FINGERPRINT', cell: (key) => key.fingerprint, least: 16 },
      { header: 'FORMAT', cell: (key) => `${key.format} ${key.algorithm}`, least: 8 },
      { header: 'WHO', cell: (key) => key.names.join(', '), least: 8 },
      {
        header: 'EXPIRES',
        cell: (key) => (key.expiresAt === undefined ? '' : new Date(key.expiresAt).toISOString().slice(0, 10)),
      },
      {
        header: 'NOTES',
        cell: (key) => [...key.notes, ...(key.revokedAt === undefined ? [] : ['revoked'])].join(', '),
      },
      { header: 'FILE', cell: (key) => key.file, least: 8 },
    ],
    keys,
    options,
  )
}

async function add(file: string, yes: boolean, io: Io): Promise<void> {
  const found = await inspectKeys(file)
  for (const { message } of found?.problems ?? []) say(io, `warning: ${message}`)
  if (found === undefined || found.keys.length === 0) {
    throw new CliError(
      'refused',
      `${file} holds no key`,
      'it takes `gpg --armor --export`, an allowed_signers file, or *.pub',
    )
  }
  io.stderr.write(
    keyTable(
      found.keys.map((key) => ({ ...key, file: found.file })),
      {},
    ),
  )
  if (!yes && !(await confirm('Trust signatures of these keys?', io)))
    throw new CliError('refused', 'nothing was added')
  say(io, `added as ${await addKeys(file, keyFolder(io.env))}`)
}
