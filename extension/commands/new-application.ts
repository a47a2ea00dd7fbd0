import path from 'node:path'
import { l10n, Uri, window, workspace, WorkspaceEdit } from 'vscode'
import type { ApplicationForm, FolderFacts } from '../../shared/agent/application-contract.ts'
import { METHODS } from '../../shared/agent/contract.ts'
import { countOf } from '../../shared/view/words.ts'
import type { App } from '../app.ts'
import { withProgress } from './run-operation.ts'
import { askChoice, askMany, askSteps, askText, type Answer, type Question } from './steps.ts'
import { signalOf } from '../signal.ts'

type Form = ApplicationForm & { readonly file: string }

/** A new Application for a folder of manifests: a form, then an edit that makes the file and can be undone. */
export async function createApplication(app: App, argument?: unknown): Promise<void> {
  const { session } = app.model
  if (session === undefined) return
  const folder = argument instanceof Uri ? argument : await pickFolder()
  if (folder === undefined) return
  const relative = path.relative(session.root, folder.fsPath).split(path.sep).join('/')
  if (relative === '..' || relative.startsWith('../') || path.isAbsolute(relative)) {
    void window.showWarningMessage(l10n.t('The folder lies outside of the open repository.'))
    return
  }
  const facts = await withProgress(l10n.t('Looking at {0}', relative || '.'), async (token) =>
    app.connection.ask(METHODS.inspectFolder, { session: session.session, folder: relative }, signalOf(token)),
  )
  if (facts === undefined) return
  const form = await askSteps(l10n.t('New application'), firstForm(facts, relative), questionsOf(facts, app))
  if (form === undefined) return
  const { file, ...rest } = form
  const uri = Uri.file(path.join(session.root, file))
  const text = await app.connection.ask(METHODS.draft, rest)
  const edit = new WorkspaceEdit()
  edit.createFile(uri, { contents: Buffer.from(text, 'utf8'), overwrite: false })
  if (!(await workspace.applyEdit(edit))) throw new Error(l10n.t('{0} could not be made; is it there already?', file))
  await window.showTextDocument(await workspace.openTextDocument(uri))
}

function firstForm({ name, namespaces, file, problem }: FolderFacts, folder: string): Form {
  return {
    name,
    project: 'default',
    path: folder === '' ? '.' : folder,
    repoURL: '.',
    targetRevision: 'HEAD',
    namespace: namespaces[0] ?? name,
    context: '',
    createNamespace: true,
    automated: false,
    prune: false,
    selfHeal: false,
    // A folder with nothing in it may still have folders with something in them.
    recurse: problem !== undefined,
    file,
  }
}

function questionsOf(facts: FolderFacts, app: App): readonly Question<Form>[] {
  const found =
    facts.problem ?? l10n.t('{0}: {1}', facts.type, countOf(facts.objects, l10n.t('object'), l10n.t('objects')))
  return [
    async (form, place) =>
      into(await askText(place, l10n.t('Its name ({0})', found), form.name, nameProblem), (name) => ({
        ...form,
        name,
        file: path.posix.join(path.posix.dirname(form.file), `${name}.yaml`),
      })),
    async (form, place) =>
      into(await askText(place, l10n.t('The namespace that it goes to'), form.namespace, nameProblem), (namespace) => ({
        ...form,
        namespace,
      })),
    async (form, place) =>
      into(await askChoice(place, l10n.t('Which cluster does it go to?'), clusterChoices(app)), (context) => ({
        ...form,
        context,
      })),
    async (form, place) =>
      into(await askChoice(place, l10n.t('Which revision is deployed?'), REVISIONS()), (targetRevision) => ({
        ...form,
        targetRevision,
      })),
    async (form, place) =>
      into(await askMany(place, l10n.t('What else is to hold?'), flagChoices(), flagsOf(form)), (flags) =>
        withFlags(form, flags),
      ),
    async (form, place) =>
      into(
        await askText(place, l10n.t('The file that is made, from the root of the repository'), form.file, fileProblem),
        (file) => ({ ...form, file }),
      ),
  ]
}

function into<A, B>(answer: Answer<A>, make: (value: A) => B): Answer<B> {
  return answer.kind === 'value' ? { kind: 'value', value: make(answer.value) } : answer
}

function clusterChoices(
  app: App,
): readonly { readonly label: string; readonly description: string; readonly value: string }[] {
  const chosen = { label: l10n.t('The chosen context'), description: app.model.context, value: '' }
  const others = app.model.contexts.map(({ name, server, simulated }) => ({
    label: name,
    description: simulated ? l10n.t('simulated') : server,
    value: name,
  }))
  return [chosen, ...others]
}

const REVISIONS = (): readonly { readonly label: string; readonly description: string; readonly value: string }[] => [
  { label: 'HEAD', description: l10n.t('the commit that is checked out'), value: 'HEAD' },
  { label: 'main', description: l10n.t('the branch of that name'), value: 'main' },
  {
    label: 'WORKTREE',
    description: l10n.t('the files as they are on disk, uncommitted ones included'),
    value: 'WORKTREE',
  },
]

const FLAGS = ['createNamespace', 'automated', 'prune', 'selfHeal', 'recurse'] as const

function flagChoices(): readonly { readonly label: string; readonly description: string; readonly value: string }[] {
  return [
    { label: l10n.t('Create the namespace'), description: 'CreateNamespace=true', value: 'createNamespace' },
    { label: l10n.t('Sync by itself'), description: 'syncPolicy.automated', value: 'automated' },
    { label: l10n.t('Prune when it does'), description: 'automated.prune', value: 'prune' },
    { label: l10n.t('Undo edits of others when it does'), description: 'automated.selfHeal', value: 'selfHeal' },
    { label: l10n.t('Folders below it too'), description: 'directory.recurse', value: 'recurse' },
  ]
}

function flagsOf(form: Form): ReadonlySet<string> {
  return new Set(FLAGS.filter((flag) => form[flag]))
}

function withFlags(form: Form, flags: ReadonlySet<string>): Form {
  return { ...form, ...Object.fromEntries(FLAGS.map((flag) => [flag, flags.has(flag)])) }
}

async function pickFolder(): Promise<Uri | undefined> {
  const defaultUri = workspace.workspaceFolders?.[0]?.uri
  const picked = await window.showOpenDialog({
    title: l10n.t('Create an application from a folder'),
    openLabel: l10n.t('Use this folder'),
    canSelectFiles: false,
    canSelectFolders: true,
    ...(defaultUri === undefined ? {} : { defaultUri }),
  })
  return picked?.[0]
}

function nameProblem(text: string): string | undefined {
  const fits = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text)
  return fits ? undefined : l10n.t('Lower case letters, digits and dashes, at most 63')
}

function fileProblem(text: string): string | undefined {
  const inside = !path.isAbsolute(text) && !text.split(/[\\/]/).includes('..')
  return inside && /\.ya?ml$/.test(text) ? undefined : l10n.t('A .yaml file of the repository')
}
