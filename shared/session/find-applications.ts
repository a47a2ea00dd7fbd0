import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { isApplication, readApplication } from '../core/read-application.ts'
import type { Application } from '../model/application.ts'
import type { Failure } from '../model/failure.ts'
import { isKubeObject, type KubeObject } from '../model/kubernetes.ts'
import type { Place } from '../model/manifest.ts'
import type { Cancellable } from '../model/ports.ts'
import { RenderError, placeText } from '../render/errors.ts'
import { YamlReader } from '../render/yaml/read.ts'

export type FoundApplications = {
  readonly applications: readonly Application[]
  /** AppProjects by name. */
  readonly projects: ReadonlyMap<string, KubeObject>
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
  const reader = new YamlReader()
  for await (const file of yamlFiles(from, options)) {
    const text = await readFile(file, 'utf8')
    if (
      !/argoproj\.io\//.test(text) ||
      !/\bkind["']?:\s*["']?(Application|AppProject)\b/.test(text) ||
      text.includes('{{')
    )
      continue
    const name = path.relative(root, file).split(path.sep).join('/')
    for (const found of definitionsIn(text, name, reader)) {
      switch (found.kind) {
        case 'failure':
          failures.push(found.failure)
          break
        case 'project':
          projects.set(found.project.metadata.name, found.project)
          break
        case 'application':
          applications.push(found.application)
      }
    }
  }
  return { applications: applications.sort((a, b) => (a.name < b.name ? -1 : 1)), projects, failures }
}

type Found =
  | { readonly kind: 'application'; readonly application: Application }
  | { readonly kind: 'project'; readonly project: KubeObject }
  | { readonly kind: 'failure'; readonly failure: Failure }

function definitionsIn(text: string, file: string, reader: YamlReader): readonly Found[] {
  try {
    return reader.read(text, file).flatMap(({ value, start }) => {
      if (!isKubeObject(value)) return []
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
