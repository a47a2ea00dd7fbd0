import fs from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { add, commit, init } from 'isomorphic-git'

const APPLICATIONS = 499
const OBJECTS_EACH = 19
/** The large one: this many objects of 20 lines in one file. */
const ENTRIES = 250
const KEYS_EACH = 14

/** Sorts before the others, so that it is seen without scrolling. */
const LARGE = 'a-large'

/** A repository of 500 applications with more than 9,700 objects, one of them in a file of 5,000 lines. */
export async function makeWorkspace(
  folder: string,
): Promise<{ readonly applications: number; readonly objects: number; readonly lines: number }> {
  await init({ fs, dir: folder, defaultBranch: 'main' })
  for (let index = 0; index < APPLICATIONS; index += 1) {
    const name = `app-${String(index).padStart(3, '0')}`
    await mkdir(path.join(folder, name), { recursive: true })
    await writeFile(path.join(folder, name, 'objects.yaml'), objects(name))
    await writeFile(path.join(folder, name, 'application.yaml'), application(name))
  }
  await mkdir(path.join(folder, LARGE), { recursive: true })
  const entries = Array.from({ length: ENTRIES }, (_, index) => entry(index)).join('---\n')
  await writeFile(path.join(folder, LARGE, 'entries.yaml'), entries)
  await writeFile(path.join(folder, LARGE, 'application.yaml'), application(LARGE))
  await writeFile(path.join(folder, 'plain.yaml'), entries)
  await add({ fs, dir: folder, filepath: '.' })
  await commit({ fs, dir: folder, message: 'All of it', author: { name: 'Ada', email: 'ada@example.com' } })
  return {
    applications: APPLICATIONS + 1,
    // And the namespace of each.
    objects: APPLICATIONS * (OBJECTS_EACH + 1) + ENTRIES + 1,
    lines: entries.split('\n').length - 1,
  }
}

function objects(name: string): string {
  return Array.from({ length: OBJECTS_EACH }, (_, index) =>
    [
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata:',
      `  name: config-${index}`,
      'data:',
      `  app: ${name}`,
      `  index: "${index}"`,
      '',
    ].join('\n'),
  ).join('---\n')
}

function entry(index: number): string {
  const keys = Array.from({ length: KEYS_EACH }, (_, key) => `  key${String(key).padStart(2, '0')}: value of ${index}`)
  return ['apiVersion: v1', 'kind: ConfigMap', 'metadata:', `  name: entry-${index}`, 'data:', ...keys, ''].join('\n')
}

function application(name: string): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: ${name}
  namespace: argocd
spec:
  project: default
  source:
    repoURL: .
    targetRevision: main
    path: ${name}
    directory:
      exclude: application.yaml
  destination:
    server: https://kubernetes.default.svc
    namespace: ${name}
  syncPolicy:
    syncOptions: [CreateNamespace=true]
`
}
