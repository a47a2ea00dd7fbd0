import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stateFolder } from '../../shared/base/folders.ts'
import { EMBEDDED_CONTEXT } from '../../shared/clusters/embedded.ts'
import { KubeconfigEditor } from '../../shared/clusters/kubeconfig/kubeconfig-editor.ts'
import { markProduction } from '../../shared/clusters/production-marks.ts'
import type { KubeconfigEdit } from '../../shared/model/kube-context.ts'
import { CliError } from '../cli-error.ts'
import { confirm } from '../confirm.ts'
import { print, say, type Io } from '../io.ts'
import { chosenContext, contextFile } from '../session-flags.ts'
import { listed } from './context-list.ts'

export type EditFlags = { readonly kubeconfig?: string }

export async function useContext(
  name: string,
  flags: EditFlags & { readonly inKubeconfig?: boolean },
  io: Io,
): Promise<void> {
  await known(name, flags, io)
  if (flags.inKubeconfig === true) tell(await editorOf(flags, io).setCurrent(name, cancel(io)), io)
  await choose(name, io)
  say(io, `commands act on ${name} from now on`)
}

export async function renameContext(name: string, to: string, flags: EditFlags, io: Io): Promise<void> {
  if (to === EMBEDDED_CONTEXT)
    throw new CliError('refused', `${to} is the name of the built-in cluster`, 'choose another name')
  const before = await chosenContext(io)
  tell(await editorOf(flags, io).renameContext(name, to, cancel(io)), io)
  if (before === name) await choose(to, io)
}

export async function setContextNamespace(name: string, namespace: string, flags: EditFlags, io: Io): Promise<void> {
  tell(await editorOf(flags, io).setNamespace(name, namespace, cancel(io)), io)
}

export async function deleteContext(
  name: string,
  flags: EditFlags & { readonly yes?: boolean },
  io: Io,
): Promise<void> {
  await known(name, flags, io)
  if (flags.yes !== true && !(await confirm(`Delete the context ${name}?`, io)))
    throw new CliError('refused', 'nothing was deleted')
  tell(await editorOf(flags, io).deleteContext(name, cancel(io)), io)
}

export async function importContexts(
  file: string,
  flags: EditFlags & { readonly replace?: boolean },
  io: Io,
): Promise<void> {
  const from = file === '-' ? undefined : path.resolve(io.cwd, file)
  const text = from === undefined ? await textOf(io.stdin) : await readText(from)
  const { contexts, ...edit } = await editorOf(flags, io).importText(text, {
    ...cancel(io),
    from,
    replace: flags.replace === true,
  })
  tell(edit, io)
  for (const row of await listed(flags, io)) {
    // A kubeconfig from somebody else may name any program.
    if (contexts.includes(row.name) && row.execCommand !== '')
      say(io, `note: connecting to ${row.name} runs ${row.execCommand}`)
  }
  for (const name of contexts) print(io, name)
}

export async function markAsProduction(
  name: string,
  flags: EditFlags & { readonly off?: boolean },
  io: Io,
): Promise<void> {
  await known(name, flags, io)
  await markProduction(name, flags.off !== true, stateFolder(io.env))
  say(io, flags.off === true ? `${name} is not production` : `${name} is production: prune and delete ask for its name`)
}

export async function undoEdit(id: string, io: Io): Promise<void> {
  await editorOf({}, io).undo(id, cancel(io))
  say(io, 'the edit is taken back')
}

function tell({ summary, files, undo }: KubeconfigEdit, io: Io): void {
  if (files.length === 0) return say(io, `${summary}; nothing had to be written`)
  say(io, `${summary} (${files.join(', ')})`)
  say(io, `take it back with: plumbline context undo ${undo}`)
}

async function known(name: string, flags: EditFlags, io: Io): Promise<void> {
  const names = (await listed(flags, io)).map((row) => row.name)
  if (!names.includes(name))
    throw new CliError('not-found', `there is no context ${name}`, `there are: ${names.join(', ')}`)
}

async function choose(name: string, io: Io): Promise<void> {
  const file = contextFile(io)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, `${name}\n`)
}

function editorOf({ kubeconfig }: EditFlags, io: Io): KubeconfigEditor {
  const file = kubeconfig === undefined ? undefined : path.resolve(io.cwd, kubeconfig)
  return new KubeconfigEditor({ env: io.env, state: stateFolder(io.env), kubeconfig: file })
}

function cancel(io: Io): { readonly signal: AbortSignal } {
  return { signal: io.signal }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CliError('not-found', `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}
