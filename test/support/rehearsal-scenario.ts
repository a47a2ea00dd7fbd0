import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { TestContext } from 'node:test'
import type { SyncRequest } from '../../shared/core/guards.ts'
import type { Application } from '../../shared/model/application.ts'
import type { Fault } from '../../shared/model/rehearsal.ts'
import { Session } from '../../shared/session.ts'
import { corporaFolder } from './corpora.ts'
import { useOwnState } from './own-state.ts'
import { scaffoldRepository, type Scaffold } from './scaffold-repository.ts'
import type { JsonClient } from './control-plane-client.ts'
import type { StartedServer } from './test-servers.ts'

// Rehearsals are kept.
useOwnState()

/** Files of an application by path. */
export type Files = Readonly<Record<string, string>>

/** A change of an application of the corpora, rehearsed and then really made. */
export type Scenario = {
  readonly name: string
  /** Folder below the corpora that the application begins with; none for manifests of the scenario's own. */
  readonly corpus?: string
  /** What is synced, and comes to rest, before; absent for a new application. */
  readonly before?: (files: Files) => Files
  /** What somebody else does to the cluster then. */
  readonly meanwhile?: (cluster: Meanwhile) => Promise<void>
  readonly after?: (files: Files) => Files
  /** Laid over the Application's spec. */
  readonly spec?: Readonly<Record<string, unknown>>
  readonly request?: Partial<SyncRequest>
  /** What the rehearsal is told to let fail, because it fails in reality. */
  readonly faults?: readonly Fault[]
  /** What has to be told for the scenario to be the one that its name says. */
  readonly shows?: RegExp
}

export type Meanwhile = {
  readonly namespace: string
  /** @throws where the server refuses */
  readonly send: (
    method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    type?: string,
  ) => Promise<void>
}

/** An application of one scenario in a repository of its own, on one server. */
export type Stage = {
  readonly name: string
  readonly scaffold: Scaffold
  readonly session: Session
  readonly application: () => Promise<Application>
  readonly commit: (files: Files) => Promise<void>
}

export async function openStage(t: TestContext, server: StartedServer, { name, spec }: Scenario): Promise<Stage> {
  const scaffold = await scaffoldRepository()
  t.after(() => scaffold.dispose())
  await scaffold.write({ 'application.yaml': applicationText(name, spec) })
  await scaffold.commit('Begin')
  const { kubeconfig, context } = server
  const session = await Session.open({
    workspace: scaffold.folder,
    kubeconfig,
    context,
    watch: false,
    trusted: [],
    user: 'tester',
  })
  t.after(() => session.dispose())
  let known: readonly string[] = []
  return {
    name,
    scaffold,
    session,
    application: async () => {
      const [application] = (await session.applications()).applications
      if (application === undefined) throw new Error('the scenario has no application')
      return application
    },
    commit: async (files) => {
      for (const file of known) if (!(file in files)) await scaffold.remove(`app/${file}`)
      await scaffold.write(Object.fromEntries(Object.entries(files).map(([file, text]) => [`app/${file}`, text])))
      known = Object.keys(files)
      await scaffold.commit('Change')
    },
  }
}

function applicationText(name: string, spec: Scenario['spec'] = {}): string {
  return JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: {
      project: 'default',
      source: { repoURL: '.', targetRevision: 'HEAD', path: 'app', ...sourceOf(spec) },
      destination: { server: 'https://kubernetes.default.svc', namespace: name },
      syncPolicy: { syncOptions: ['CreateNamespace=true'] },
      ...Object.fromEntries(Object.entries(spec).filter(([key]) => key !== 'source')),
    },
  })
}

function sourceOf(spec: Readonly<Record<string, unknown>>): object {
  const { source } = spec
  return typeof source === 'object' && source !== null ? source : {}
}

/** Every file of a folder of the corpora, by its path in it. */
export async function corpusFiles(corpus: string | undefined): Promise<Files> {
  if (corpus === undefined) return {}
  const root = path.join(corporaFolder, corpus)
  const names = await readdir(root, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  const texts = await Promise.all(files.map(async (file) => [path.relative(root, file), await readFile(file, 'utf8')]))
  return Object.fromEntries(texts) as Files
}

/** Writes of somebody else, under a manager of their own. */
export function meanwhileOn(client: JsonClient, namespace: string): Meanwhile {
  return {
    namespace,
    send: async (method, target, body, type) => {
      const [place = '', query = ''] = target.split('?')
      const asked = `${place}?${query === '' ? '' : `${query}&`}fieldManager=somebody`
      const request = { method, ...(body === undefined ? {} : { body }), ...(type === undefined ? {} : { type }) }
      const { status, body: answer } = await client.request(asked, request)
      if (status >= 300) throw new Error(`${method} ${target}: ${status} ${JSON.stringify(answer)}`)
    },
  }
}
