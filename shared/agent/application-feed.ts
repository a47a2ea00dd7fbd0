import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Cluster } from '../kube/cluster.ts'
import { isArray, isObject, parseJson, stringifyJson, type JsonObject } from '../model/json.ts'
import type { Cancellable, SourcePort } from '../model/ports.ts'

/** Where an agent without a person's workspace gets Application files from. */
export type FeedSource =
  | { readonly kind: 'git'; readonly repoURL: string; readonly revision: string; readonly path: string }
  | { readonly kind: 'cluster'; readonly namespace: string }

export type FeedPorts = { readonly source: SourcePort; readonly cluster: Cluster }

const KINDS = ['applications', 'appprojects'] as const

/**
 * Fills a folder with the Application files as they are now; files that are gone there go here too.
 * @returns notes for the log, of Applications that are left to somebody else
 */
export async function feedApplications(
  folder: string,
  from: FeedSource,
  ports: FeedPorts,
  options: Cancellable,
): Promise<readonly string[]> {
  const notes: string[] = []
  const files =
    from.kind === 'git' ? await filesOfGit(from, ports, options) : await filesOfCluster(from, ports, options, notes)
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) if (!files.has(name)) await rm(path.join(folder, name), { recursive: true })
  for (const [name, text] of files) await writeFile(path.join(folder, name), text)
  return notes
}

async function filesOfGit(
  { repoURL, revision, path: at }: Extract<FeedSource, { kind: 'git' }>,
  { source }: FeedPorts,
  options: Cancellable,
): Promise<ReadonlyMap<string, string>> {
  const checkout = await source.resolve({ repoURL, targetRevision: revision, path: at }, options)
  const entries = await checkout.list(at, options)
  const yaml = entries.filter(
    (entry) => entry.kind !== 'link' && entry.kind !== 'submodule' && /\.ya?ml$|\.json$/.test(entry.path),
  )
  const files = new Map<string, string>()
  for (const [index, entry] of yaml.entries()) {
    const text = Buffer.from(await checkout.read(entry.path, options)).toString('utf8')
    files.set(`${String(index).padStart(5, '0')}-${path.posix.basename(entry.path)}`, text)
  }
  return files
}

async function filesOfCluster(
  { namespace }: Extract<FeedSource, { kind: 'cluster' }>,
  { cluster }: FeedPorts,
  options: Cancellable,
  notes: string[],
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const resource of KINDS) {
    const at = `/apis/argoproj.io/v1alpha1/namespaces/${encodeURIComponent(namespace)}/${resource}`
    const list = parseJson(await cluster.raw(at, options))
    const items = isObject(list) && isArray(list['items']) ? list['items'].filter(isObject) : []
    for (const item of items) {
      const name = nameOf(item)
      if (resource === 'applications' && isReconciled(item)) {
        notes.push(`${name} is managed by an Argo CD here, and left to it`)
        continue
      }
      const kind = resource === 'applications' ? 'Application' : 'AppProject'
      files.set(`${resource}-${name}.json`, stringifyJson({ ...item, apiVersion: 'argoproj.io/v1alpha1', kind }))
    }
  }
  return files
}

/** Argo CD's controller writes the time of each look; nobody else does. */
function isReconciled(application: JsonObject): boolean {
  const { status } = application
  return isObject(status) && typeof status['reconciledAt'] === 'string'
}

function nameOf({ metadata }: JsonObject): string {
  const name = isObject(metadata) ? metadata['name'] : undefined
  return typeof name === 'string' ? name.replaceAll(/[^A-Za-z0-9.-]/g, '_') : ''
}
