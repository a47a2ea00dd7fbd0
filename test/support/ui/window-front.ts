import type { ApplicationSummary, ClusterShown, WorkspaceState } from '../../../shared/model/front.ts'
import type { HostAnswers } from '../../../shared/view/host-channel.ts'
import { snapshotOf } from './fixtures.ts'
import { panelFront, rehearsal } from './panel-front.ts'
import { CLUSTERS, CONTEXTS, PROVIDERS } from './window-data.ts'

export const READY: WorkspaceState = {
  kind: 'ready',
  workspace: '/home/ada/infrastructure',
  context: 'kind-dev',
  production: false,
  simulated: false,
  failures: [],
}

export type WindowFront = {
  readonly applications: readonly ApplicationSummary[]
  readonly workspace?: WorkspaceState
  /** Lists are empty. */
  readonly bare?: boolean
}

/** A front of the window with something in each list. What is asked is written down. */
export function windowFront(
  { applications, workspace = READY, bare = false }: WindowFront,
  asked: unknown[] = [],
): HostAnswers {
  const log =
    <P, R>(name: string, result: (params: P) => R) =>
    async (params: P): Promise<R> => {
      asked.push([name, params])
      return result(params)
    }
  const some = <T>(all: readonly T[]): readonly T[] => (bare ? [] : all)
  return {
    ...panelFront(snapshotOf('shop'), asked),
    'application/watch': async ({ application }) => ({
      snapshot: snapshotOf(/^[a-z]+/.exec(application)?.[0] ?? 'shop'),
      local: true,
    }),
    'workspace/state': async () => workspace,
    'workspace/recent': async () => [],
    'workspace/open': log('workspace/open', () => READY),
    'workspace/tour': async (_, { part }) => {
      part({ kind: 'step', name: 'make the repository', state: 'done' })
      part({ kind: 'step', name: 'start the embedded cluster', state: 'done' })
      part({ kind: 'step', name: 'sync guestbook, shop and board', state: 'running' })
      await new Promise((resolve) => setTimeout(resolve, 500))
      return READY
    },
    'workspace/context': log('workspace/context', () => READY),
    'applications/watch': async () => applications,
    'applications/views': async () => [
      { name: 'Night shift', filter: 'state:outofsync', sort: 'name', group: 'cluster' },
    ],
    'applications/save-views': log('applications/save-views', () => null),
    'applications/folders': async () => [
      { path: 'shop', type: 'Directory', objects: 3 },
      { path: 'charts/board', type: 'Helm', objects: 7 },
    ],
    'applications/create': log('applications/create', () => ({ file: 'apps/shop.yaml', line: 1, column: 1 })),
    'clusters/list': async () => some(CLUSTERS),
    'clusters/providers': async () => PROVIDERS,
    'clusters/create': async (_, { part, signal }) => {
      part({ kind: 'step', name: 'pull the node image', state: 'done' })
      part({ kind: 'step', name: 'start the control plane', state: 'running' })
      part({ kind: 'line', text: 'Preparing nodes 📦' })
      await new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, 2000)
        signal.addEventListener('abort', () => (clearTimeout(timer), reject(new Error('cancelled'))), { once: true })
      })
      return CLUSTERS[0] as ClusterShown
    },
    'clusters/act': log('clusters/act', () => null),
    'contexts/list': async () => some(CONTEXTS),
    'contexts/probe': async ({ name }) =>
      name === 'prod-eu'
        ? {
            reachable: false,
            version: '',
            message: 'connect ECONNREFUSED 10.1.2.3:6443: nobody listens there',
            latencyMs: 0,
          }
        : { reachable: true, version: 'v1.36.2', message: '', latencyMs: 12 },
    'contexts/use': log('contexts/use', () => null),
    'contexts/rename': log('contexts/rename', () => null),
    'contexts/namespace': log('contexts/namespace', () => null),
    'contexts/production': log('contexts/production', () => null),
    'contexts/delete': log('contexts/delete', () => 'token-1'),
    'contexts/undo': log('contexts/undo', () => null),
    'contexts/import': log('contexts/import', () => ['new-one']),
    'rehearsals/list': async () =>
      some([rehearsal(), { ...rehearsal(), id: 'r2', revision: 'c0ffee1', passed: false }]),
    'repositories/list': async () =>
      some([
        {
          url: 'https://git.example.com/team/infrastructure.git',
          kind: 'https',
          folder: '',
          branch: 'main',
          credential: 'token of ada',
          applications: 4,
        },
        {
          url: '/home/ada/infrastructure',
          kind: 'local',
          folder: '/home/ada/infrastructure',
          branch: 'main',
          credential: 'none',
          applications: 3,
        },
      ] as const),
    'repositories/add': log('repositories/add', () => null),
    'repositories/test': async () => ({ ok: false, message: '403 Forbidden: the token may not read this repository' }),
    'repositories/remove': log('repositories/remove', () => null),
    'keys/list': async () =>
      some([
        {
          fingerprint: 'F2A4 9C1B 77D0 3E55 8D21  09AA 6C3E 1D2B 4F70 8899',
          names: ['Ada Lovelace <ada@example.com>'],
          format: 'openpgp',
          file: 'ada.asc',
          notes: [],
        },
        {
          fingerprint: 'SHA256:0eF5v3sXkXkYp8qV5V4mG0C0sY1Jt1ZV7tqZ8c1mQ2M',
          names: ['grace'],
          format: 'ssh',
          file: 'grace.pub',
          notes: ['expires in 12 days'],
        },
      ]),
    'keys/add': log('keys/add', () => 'F2A4'),
    'keys/remove': log('keys/remove', () => true),
    'settings/list': async () => [
      {
        key: 'theme',
        title: 'Theme',
        description: '',
        kind: 'choice',
        choices: ['system', 'light', 'dark'],
        value: 'system',
        required: false,
      },
      {
        key: 'trusted',
        title: 'Trusted managers',
        description: 'Field managers whose fields are left alone.',
        kind: 'list',
        choices: [],
        value: ['flagger'],
        required: false,
      },
      {
        key: 'notify',
        title: 'Tell of new drift',
        description: 'A notification of the platform.',
        kind: 'boolean',
        choices: [],
        value: true,
        required: false,
      },
    ],
    'settings/set': log('settings/set', () => null),
  }
}
