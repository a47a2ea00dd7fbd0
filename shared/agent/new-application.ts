import { mkdir, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { JsonObject } from '../model/json.ts'
import type { Cancellable } from '../model/ports.ts'
import { renderPath } from '../session/render-path.ts'
import { toYaml } from '../view/yaml.ts'
import { AgentError } from './agent-error.ts'
import type { ApplicationForm, FolderFacts } from './application-contract.ts'
import type { HostedSession } from './hosted-session.ts'

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** What a folder of the repository would be as an application. */
export async function inspectFolder(hosted: HostedSession, folder: string, options: Cancellable): Promise<FolderFacts> {
  const known = await hosted.all()
  const name = freeName(folder, hosted.root, new Set(known.map(({ application }) => application.name)))
  const beside = known.find(({ application }) => application.place !== undefined)?.application.place?.file
  const file = path.posix.join(beside === undefined ? 'apps' : path.posix.dirname(beside), `${name}.yaml`)
  try {
    const { type, manifests } = await renderPath(hosted.root, folder === '' ? '.' : folder, options)
    const namespaces = manifests.flatMap(({ object }) => object.metadata.namespace ?? [])
    return { type, objects: manifests.length, namespaces: [...new Set(namespaces)].sort(), name, file }
  } catch (error) {
    if (options.signal?.aborted === true) throw error
    const problem = error instanceof Error ? error.message : String(error)
    return { type: '', objects: 0, namespaces: [], problem, name, file }
  }
}

/** The Application file behind a form. @throws AgentError `failed` where a name is none that Kubernetes takes */
export function applicationText(form: ApplicationForm): string {
  for (const name of [form.name, form.namespace]) {
    if (!NAME.test(name))
      throw new AgentError('failed', `"${name}" is no name: lower case letters, digits and dashes, at most 63`, 'name')
  }
  return toYaml({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: form.name, namespace: 'argocd' },
    spec: {
      project: form.project || 'default',
      source: {
        repoURL: form.repoURL || '.',
        targetRevision: form.targetRevision || 'HEAD',
        path: form.path || '.',
        ...(form.recurse ? { directory: { recurse: true } } : {}),
      },
      destination:
        form.context === ''
          ? { server: 'https://kubernetes.default.svc', namespace: form.namespace }
          : { name: form.context, namespace: form.namespace },
      ...syncPolicyOf(form),
    },
  })
}

/**
 * Writes the file where nothing is yet, below the root and through no link that leads out of it.
 * @returns its path from the root
 * @throws AgentError `failed`: `exists`, `outside`, `name`
 */
export async function writeApplication(hosted: HostedSession, file: string, form: ApplicationForm): Promise<string> {
  const text = applicationText(form)
  const target = path.resolve(hosted.root, file)
  const folder = path.dirname(target)
  if (!/\.ya?ml$/.test(target) || !isBelow(target, hosted.root)) throw outside(file)
  const root = await realpath(hosted.root)
  if (!isBelow(await nearestReal(folder), root, true)) throw outside(file)
  await mkdir(folder, { recursive: true })
  try {
    await writeFile(target, text, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new AgentError('failed', `${file} is there already`, 'exists', { cause: error })
  }
  await hosted.refresh(undefined, false)
  return path.relative(hosted.root, target).split(path.sep).join('/')
}

function syncPolicyOf({ automated, prune, selfHeal, createNamespace }: ApplicationForm): JsonObject {
  const policy: JsonObject = {
    ...(automated ? { automated: { prune, selfHeal } } : {}),
    ...(createNamespace ? { syncOptions: ['CreateNamespace=true'] } : {}),
  }
  return Object.keys(policy).length === 0 ? {} : { syncPolicy: policy }
}

function freeName(folder: string, root: string, taken: ReadonlySet<string>): string {
  const last = path.basename(path.resolve(root, folder)).toLowerCase()
  const plain = last.replaceAll(/[^a-z0-9-]+/g, '-').replaceAll(/^-+|-+$/g, '') || 'application'
  const name = plain.slice(0, 60).replace(/-+$/, '')
  let free = name
  for (let count = 2; taken.has(free); count += 1) free = `${name}-${count}`
  return free
}

/** Where a folder really is, or the nearest one above it that there is. */
async function nearestReal(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch {
    const above = path.dirname(folder)
    return above === folder ? folder : nearestReal(above)
  }
}

function isBelow(file: string, root: string, orSame = false): boolean {
  const relative = path.relative(root, file)
  if (relative === '') return orSame
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}

function outside(file: string): AgentError {
  return new AgentError('failed', `${file} is no YAML file of the workspace`, 'outside')
}
