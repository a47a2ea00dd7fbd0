import type { HostMethod, HostParams } from '../../shared/view/host.ts'
import { dictionary, either, flag, list, matching, nothing, oneOf, record, text, whole, type Check } from './check.ts'

/** Names as Kubernetes has them are narrower; this only keeps out what no name is. */
const name = matching(/^\P{Cc}+$/u)
const empty = matching(/^\P{Cc}*$/u)
const path = matching(/^\P{Cc}+$/u, 4096)
const version = matching(/^[a-z0-9.]{1,63}$/)
const key = text(1024)
const id = record({ group: empty, kind: name, namespace: empty, name })
const form = either(either(text(100_000), whole(-1e9, 1e9)), either(flag, list(text(4096), 200)))

const application = { application: name }
const choice = {
  ...application,
  prune: flag,
}
const chosen = {
  revision: text(253),
  force: flag,
  replace: flag,
  applyOutOfSyncOnly: flag,
  only: list(key, 5000),
}
const typed = { typedName: text(253) }

/** What each method takes; a test holds that none is missing, the compiler that each fits its type. */
export const PARAMS: { readonly [M in HostMethod]: Check<HostParams<M>> } = {
  hello: nothing,
  'application/watch': record(application),
  'application/unwatch': record(application),
  'application/refresh': record({ hard: flag }, application),
  'application/plan': record(choice, chosen),
  'application/sync': record(choice, { ...chosen, ...typed }),
  'application/terminate': record(application),
  'application/diff': record(application, { keys: list(key, 5000) }),
  'application/object': record({ ...application, id, version, side: oneOf('live', 'desired') }),
  'application/history': record(application),
  'application/rollback': record({ ...application, id: whole(0, 1e9), prune: flag, dryRun: flag }, typed),
  'application/events': record(application),
  'application/logs': record({ ...application, pod: id, tail: whole(0, 100_000) }, { container: name }),
  'application/rehearse': record(
    {
      ...application,
      prune: flag,
      on: name,
      inject: list(record({ kind: oneOf('image-pull', 'hook-fails', 'quota', 'webhook-down'), on: key }), 100),
    },
    { revision: text(253) },
  ),
  'application/ignore': record({ ...application, id, path: text(4096) }),
  'resource/delete': record({ ...application, id, version, uid: text(64) }, typed),
  'open/place': record({ file: path, line: whole(0, 1e8), column: whole(0, 1e8) }),
  'open/object': record({ ...application, id, version }),
  'workspace/state': nothing,
  'workspace/recent': nothing,
  'workspace/open': record({}, { folder: path }),
  'workspace/tour': nothing,
  'workspace/context': record({ context: empty }),
  'applications/watch': nothing,
  'applications/views': nothing,
  'applications/save-views': record({
    views: list(record({ name, filter: text(1000), sort: text(100), group: text(100) }), 100),
  }),
  'applications/folders': nothing,
  'applications/create': record({
    name,
    project: name,
    path,
    revision: text(253),
    context: empty,
    namespace: empty,
    createNamespace: flag,
    automated: flag,
    prune: flag,
    selfHeal: flag,
    file: path,
  }),
  'clusters/list': nothing,
  'clusters/providers': nothing,
  'clusters/create': record({ provider: name, fields: dictionary(form, 40) }),
  'clusters/act': record(
    {
      name,
      provider: name,
      action: oneOf('start', 'stop', 'delete', 'use', 'install-agent', 'load-image', 'export-logs'),
    },
    { argument: text(4096), ...typed },
  ),
  'contexts/list': nothing,
  'contexts/probe': record({ name }),
  'contexts/use': record({ name }),
  'contexts/rename': record({ name, to: name }),
  'contexts/namespace': record({ name, namespace: empty }),
  'contexts/production': record({ name, production: flag }),
  'contexts/delete': record({ name }, typed),
  'contexts/undo': record({ token: text(4096) }),
  'contexts/import': record({ file: path }),
  'rehearsals/list': nothing,
  'repositories/list': nothing,
  'repositories/add': record({ url: path, username: text(253), secret: text(100_000), sshKey: text(100_000) }),
  'repositories/test': record({ url: path }),
  'repositories/remove': record({ url: path }),
  'keys/list': nothing,
  'keys/add': record({ text: text(900_000), name: empty }),
  'keys/remove': record({ fingerprint: text(512) }),
  'settings/list': nothing,
  'settings/set': record({ key: matching(/^[A-Za-z.]{1,60}$/), value: form }),
}
