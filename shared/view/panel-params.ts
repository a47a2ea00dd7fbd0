import { flag, list, matching, nothing, oneOf, record, text, whole, type Check } from './check.ts'
import type { HostParams, PanelMethods } from './host.ts'

/** Names as Kubernetes has them are narrower; this only keeps out what no name is. */
export const name = matching(/^\P{Cc}+$/u)
export const maybeName = matching(/^\P{Cc}*$/u)
export const path = matching(/^\P{Cc}+$/u, 4096)
const version = matching(/^[a-z0-9.]{1,63}$/)
const key = text(1024)
const id = record({ group: maybeName, kind: name, namespace: maybeName, name })

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
export const typed = { typedName: text(253) }

/** What each method of the application panel takes. The compiler holds that each check fits its type. */
export const PANEL_PARAMS: { readonly [M in keyof PanelMethods]: Check<HostParams<M>> } = {
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
}
