import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { KubeconfigEdit } from '../../model/kube-context.ts'
import type { Cancellable } from '../../model/ports.ts'
import { ClustersError } from '../clusters-error.ts'
import { writePrivately } from '../private-file.ts'
import { backUp, digestOf, kubeconfigPaths, readKubeconfig, replaceKubeconfig, withLocks } from './kubeconfig-file.ts'
import { KubeconfigText, type ListName } from './kubeconfig-text.ts'

export type EditorOptions = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** One file instead of what `KUBECONFIG` names. */
  readonly kubeconfig?: string | undefined
  /** Where what is needed to take an edit back is kept. */
  readonly state: string
}

type Change = (files: readonly KubeconfigText[]) => string

type UndoStep = {
  readonly file: string
  /** The copy of what it was; empty where there was no file. */
  readonly backup: string
  /** Digest of what the edit made of it. */
  readonly made: string
}

/** Edits the kubeconfig files of one person: locked, atomic, backed up, comments and order kept, each edit undoable. */
export class KubeconfigEditor {
  readonly #options: EditorOptions

  constructor(options: EditorOptions) {
    this.#options = options
  }

  /** The current context: of the first file that names one. */
  async current(): Promise<string> {
    const { env, kubeconfig } = this.#options
    for (const file of kubeconfigPaths(env, kubeconfig)) {
      const { current } = new KubeconfigText(await readKubeconfig(file), file)
      if (current !== '') return current
    }
    return ''
  }

  /** Where kubectl would write it: the first file that has one, else the last file. */
  async setCurrent(context: string, options: Cancellable = {}): Promise<KubeconfigEdit> {
    return this.#edit((files) => {
      need(files, 'contexts', context)
      setCurrentIn(files, context)
      return `the current context is ${context}`
    }, options)
  }

  async renameContext(from: string, to: string, options: Cancellable = {}): Promise<KubeconfigEdit> {
    return this.#edit((files) => {
      const file = need(files, 'contexts', from)
      if (to === '') throw new ClustersError('name', 'a context needs a name')
      if (holding(files, 'contexts', to) !== undefined) throw taken(to)
      file.rename('contexts', from, to)
      for (const one of files) if (one.current === from) one.setCurrent(to)
      return `${from} is called ${to} now`
    }, options)
  }

  async setNamespace(context: string, namespace: string, options: Cancellable = {}): Promise<KubeconfigEdit> {
    if (namespace !== '' && !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(namespace))
      throw new ClustersError('name', `"${namespace}" cannot be a namespace's name`)
    return this.#edit((files) => {
      need(files, 'contexts', context).setNamespace(context, namespace)
      return `${context} uses namespace ${namespace === '' ? 'default' : namespace}`
    }, options)
  }

  /** Deletes a context, and the cluster and the user that nothing else names. */
  async deleteContext(context: string, options: Cancellable = {}): Promise<KubeconfigEdit> {
    return this.#edit((files) => {
      const gone = dropContext(files, context)
      return `${context} is deleted${gone.length === 0 ? '' : `, with ${gone.join(' and ')}`}`
    }, options)
  }

  /** Deletes every context of a cluster, whatever they are called now. */
  async deleteCluster(cluster: string, options: Cancellable = {}): Promise<KubeconfigEdit> {
    return this.#edit((files) => {
      const leads = (file: KubeconfigText, name: string): boolean =>
        file.body('contexts', name)?.['cluster'] === cluster
      const names = files.flatMap((file) => file.names('contexts').filter((name) => leads(file, name)))
      for (const name of names) dropContext(files, name)
      for (const file of files) file.remove('clusters', cluster)
      return names.length === 0 ? `nothing leads to ${cluster}` : `${names.join(', ')} is deleted`
    }, options)
  }

  /** Puts one context with its cluster and user where kubectl would put new ones; what has the names is replaced. */
  async put(entry: ContextEntry, setCurrent: boolean, options: Cancellable = {}): Promise<KubeconfigEdit> {
    return this.#edit((files) => {
      putEntries(files, { contexts: [[entry.name, entry.context]], clusters: [entry.cluster], users: [entry.user] })
      if (setCurrent) setCurrentIn(files, entry.name)
      return `${entry.name} is in the kubeconfig`
    }, options)
  }

  /** Takes over another kubeconfig's contexts. @param from the file that it was, against which its paths resolve */
  async importText(
    text: string,
    { from, replace, ...options }: Cancellable & { readonly from?: string | undefined; readonly replace: boolean },
  ): Promise<KubeconfigEdit & { readonly contexts: readonly string[] }> {
    const source = new KubeconfigText(text, from ?? 'the imported text')
    const contexts = source.names('contexts')
    if (contexts.length === 0) throw new ClustersError('kubeconfig', `${source.file} has no context`)
    const folder = from === undefined ? undefined : path.dirname(path.resolve(from))
    const edit = await this.#edit((files) => {
      const all = {
        contexts: entriesOf(source, 'contexts'),
        clusters: entriesOf(source, 'clusters', folder),
        users: entriesOf(source, 'users', folder),
      }
      for (const list of ['contexts', 'clusters', 'users'] as const) {
        const clash = all[list].find(([name]) => holding(files, list, name) !== undefined)
        if (clash !== undefined && !replace) throw taken(`${list.slice(0, -1)} ${clash[0]}`)
      }
      putEntries(files, all)
      return `imported ${contexts.join(', ')}`
    }, options)
    return { ...edit, contexts }
  }

  /** Takes an edit back. @throws ClustersError `changed` where a file was edited since, `not-found` for an edit that is not known */
  async undo(id: string, options: Cancellable = {}): Promise<void> {
    const note = this.#undoFile(id)
    const text = await readFile(note, 'utf8').catch(() => undefined)
    if (text === undefined) throw new ClustersError('not-found', 'there is no such edit to take back')
    const steps = JSON.parse(text) as readonly UndoStep[]
    await withLocks(
      steps.map(({ file }) => file),
      async () => {
        const before = new Map<string, string>()
        for (const { file, backup, made } of steps) {
          if (digestOf(await readKubeconfig(file)) !== made) throw changedSince(file, backup)
          before.set(file, backup === '' ? '' : await readKubeconfig(backup))
        }
        for (const [file, was] of before) await replaceKubeconfig(file, was)
      },
      options,
    )
    await rm(note, { force: true })
  }

  async #edit(change: Change, options: Cancellable): Promise<KubeconfigEdit> {
    const { env, kubeconfig } = this.#options
    const paths = kubeconfigPaths(env, kubeconfig)
    return withLocks(
      paths,
      async () => {
        const texts = await Promise.all(paths.map(readKubeconfig))
        const files = texts.map((text, index) => new KubeconfigText(text, paths[index] ?? ''))
        const summary = change(files)
        const edited = files.flatMap((file, index) =>
          file.text === texts[index] ? [] : [{ file, was: texts[index] ?? '' }],
        )
        const steps: UndoStep[] = []
        for (const { file, was } of edited) {
          const backup = await backUp(file.file, was)
          await replaceKubeconfig(file.file, file.text)
          steps.push({ file: file.file, backup, made: digestOf(file.text) })
        }
        const undo = steps.length === 0 ? '' : randomUUID()
        if (undo !== '') await writePrivately(this.#undoFile(undo), JSON.stringify(steps))
        return { undo, files: steps.map((step) => step.file), summary }
      },
      options,
    )
  }

  #undoFile(id: string): string {
    return path.join(this.#options.state, 'kubeconfig-undo', `${path.basename(id)}.json`)
  }
}

type Body = Readonly<Record<string, unknown>>
type Entry = readonly [name: string, body: Body]

export type ContextEntry = {
  readonly name: string
  readonly context: Body
  readonly cluster: Entry
  readonly user: Entry
}

function setCurrentIn(files: readonly KubeconfigText[], context: string): void {
  const file = files.find(({ current }) => current !== '') ?? files.at(-1)
  file?.setCurrent(context)
}

/** client-go keeps an entry where it is, and puts new ones into the last file of the list. */
function putEntries(files: readonly KubeconfigText[], all: Readonly<Record<ListName, readonly Entry[]>>): void {
  for (const list of ['clusters', 'users', 'contexts'] as const) {
    for (const [name, body] of all[list]) (holding(files, list, name) ?? files.at(-1))?.put(list, name, body)
  }
}

function dropContext(files: readonly KubeconfigText[], context: string): readonly string[] {
  const file = need(files, 'contexts', context)
  const body = file.body('contexts', context) ?? {}
  file.remove('contexts', context)
  for (const one of files) if (one.current === context) one.setCurrent('')
  return (['clusters', 'users'] as const).flatMap((list) => removeUnused(files, list, body))
}

function removeUnused(files: readonly KubeconfigText[], list: 'clusters' | 'users', context: Body): readonly string[] {
  const key = list === 'clusters' ? 'cluster' : 'user'
  const name = context[key]
  if (typeof name !== 'string' || name === '') return []
  const used = files.some((file) => file.names('contexts').some((one) => file.body('contexts', one)?.[key] === name))
  if (used || holding(files, list, name) === undefined) return []
  for (const file of files) file.remove(list, name)
  return [`${key} ${name}`]
}

const PATHS = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile']

/** A file's entries, with paths that still lead to the same files from elsewhere. */
function entriesOf(source: KubeconfigText, list: ListName, folder?: string): readonly Entry[] {
  return source.names(list).map((name) => {
    const body = { ...source.body(list, name) }
    for (const key of PATHS) {
      const value = body[key]
      if (folder !== undefined && typeof value === 'string' && value !== '') body[key] = path.resolve(folder, value)
    }
    return [name, body]
  })
}

function holding(files: readonly KubeconfigText[], list: ListName, name: string): KubeconfigText | undefined {
  return files.find((file) => file.names(list).includes(name))
}

function need(files: readonly KubeconfigText[], list: ListName, name: string): KubeconfigText {
  const file = holding(files, list, name)
  if (file !== undefined) return file
  const names = files.flatMap((one) => one.names(list)).join(', ')
  const next = names === '' ? 'the kubeconfig has none' : `there are: ${names}`
  throw new ClustersError(
    'not-found',
    `there is no context ${name} in ${files.map((one) => one.file).join(', ')}`,
    next,
  )
}

function taken(what: string): ClustersError {
  return new ClustersError('exists', `there is ${what} already`, 'choose another name, or replace it')
}

function changedSince(file: string, backup: string): ClustersError {
  const kept = backup === '' ? '' : `; what it was is in ${backup}`
  return new ClustersError('changed', `${file} was edited since, so the edit is not taken back${kept}`)
}
