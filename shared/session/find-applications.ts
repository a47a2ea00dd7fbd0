import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { isApplication, readApplication } from '../core/read-application.ts'
import type { Application } from '../model/application.ts'
import type { Failure } from '../model/failure.ts'
import { isObject } from '../model/json.ts'
import { isKubeObject, type KubeObject } from '../model/kubernetes.ts'
import type { Place } from '../model/manifest.ts'
import type { Cancellable } from '../model/ports.ts'
import { RenderError, placeText } from '../render/errors.ts'
import { YamlReader } from '../render/yaml/read.ts'

export type FoundApplications = {
  readonly applications: readonly Application[]
  /** AppProjects by name. */
  readonly projects: ReadonlyMap<string, KubeObject>
  /** What an `argocd-cm` beside them says; the first one that is found. */
  readonly settings: Readonly<Record<string, string>>
  /** Files that look like Applications and cannot be read as such; they hide none of the others. */
  readonly failures: readonly Failure[]
}

const MOST_FILES = 50_000
const LARGEST_FILE = 1024 * 1024
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules', 'vendor', '.terraform'])

/**
 * Argo CD Applications in the YAML files below a folder (or in one file). Files are named relative to `root`. Templates
 * (helm charts) and everything that does not mention an Application are passed over unread.
 */
export async function findApplications(from: string, root: string, options: Cancellable): Promise<FoundApplications> {
  const applications: Application[] = []
  const failures: Failure[] = []
  const projects = new Map<string, KubeObject>()
  let settings: Readonly<Record<string, string>> = {}
  const reader = new YamlReader()
  for await (const file of yamlFiles(from, options)) {
    const text = await readFile(file, 'utf8')
    if (!isWorthReading(text)) continue
    const name = path.relative(root, file).split(path.sep).join('/')
    for (const found of definitionsIn(text, name, reader)) {
      switch (found.kind) {
        case 'failure':
          failures.push(found.failure)
          break
        case 'settings':
          settings = Object.keys(settings).length === 0 ? found.settings : settings
          break
        case 'project':
          projects.set(found.project.metadata.name, found.project)
          break
        case 'application':
          applications.push(found.application)
      }
    }
  }
  return { applications: applications.sort((a, b) => (a.name < b.name ? -1 : 1)), projects, settings, failures }
}

function isWorthReading(text: string): boolean {
  if (text.includes('{{')) return false
  if (/\bname["']?:\s*["']?argocd-cm\b/.test(text)) return true
  return /argoproj\.io\//.test(text) && /\bkind["']?:\s*["']?(Application|AppProject)\b/.test(text)
}

type Found =
  | { readonly kind: 'application'; readonly application: Application }
  | { readonly kind: 'project'; readonly project: KubeObject }
  | { readonly kind: 'settings'; readonly settings: Readonly<Record<string, string>> }
  | { readonly kind: 'failure'; readonly failure: Failure }

function definitionsIn(text: string, file: string, reader: YamlReader): readonly Found[] {
  try {
    return reader.read(text, file).flatMap(({ value, start }) => {
      if (!isKubeObject(value)) return []
      if (isSettings(value)) return [{ kind: 'settings', settings: textsOf(value) }]
      if (isProject(value)) return [{ kind: 'project', project: value }]
      return isApplication(value) ? [foundApplication(value, { file, ...start })] : []
    })
  } catch (error) {
    if (!RenderError.is(error)) throw error
    const place = error.place === undefined ? {} : { place: error.place }
    const failure: Failure = { stage: 'source', reason: error.reason, message: error.message, ...place }
    return [{ kind: 'failure', failure }]
  }
}

function foundApplication(object: KubeObject, place: Place): Found {
  const read = readApplication(object, place)
  if (!('stage' in read)) return { kind: 'application', application: read }
  const message = `${placeText(place)}: application ${object.metadata.name}: ${read.message}`
  return { kind: 'failure', failure: { ...read, message } }
}

/** Argo CD's own settings. */
function isSettings({ apiVersion, kind, metadata }: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'ConfigMap' && metadata.name === 'argocd-cm'
}

function textsOf({ data }: KubeObject): Readonly<Record<string, string>> {
  const texts = Object.entries(isObject(data) ? data : {}).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(texts) as Readonly<Record<string, string>>
}

function isProject(object: KubeObject): boolean {
  return object.kind === 'AppProject' && object.apiVersion.startsWith('argoproj.io/')
}

async function* yamlFiles(from: string, { signal }: Cancellable): AsyncGenerator<string> {
  if ((await stat(from)).isFile()) {
    yield from
    return
  }
  let seen = 0
  const folders = [from]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal?.throwIfAborted()
    const entries = await readdir(folder, { withFileTypes: true })
    for (const entry of entries) {
      if (++seen > MOST_FILES) return
      const whole = path.join(folder, entry.name)
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) folders.push(whole)
      else if (entry.isFile() && /\.(ya?ml|json)$/.test(entry.name) && (await stat(whole)).size <= LARGEST_FILE)
        yield whole
    }
  }
}
