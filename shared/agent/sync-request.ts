import type { SyncRequest } from '../core/guards.ts'
import { resourceKey } from '../model/kubernetes.ts'
import type { SyncParams } from './contract.ts'

/** Argo CD's own waits between the tries of a sync (`docs/user-guide/auto_sync.md`). */
const BACKOFF = { duration: '5s', factor: 2, maxDuration: '3m' }

/** What a client asked for, as the core takes it. */
export function syncRequestOf(params: SyncParams, dryRun: boolean): SyncRequest {
  const { prune, only, force, replace, confirmed, allowEmpty, retryLimit } = params
  const keys = only === undefined ? undefined : new Set(only)
  return {
    prune,
    dryRun,
    ...(keys === undefined ? {} : { only: (id) => keys.has(resourceKey(id)) }),
    ...(force === undefined ? {} : { force }),
    ...(replace === undefined ? {} : { replace }),
    ...(confirmed === undefined ? {} : { confirmed }),
    ...(allowEmpty === undefined ? {} : { allowEmpty }),
    ...(retryLimit === undefined ? {} : { retry: { limit: retryLimit, backoff: BACKOFF } }),
  }
}
