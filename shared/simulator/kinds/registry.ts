import { appsKinds } from './apps.ts'
import { scalingKinds } from './autoscaling.ts'
import { batchKinds } from './batch.ts'
import { clusterKinds } from './cluster.ts'
import { configKinds } from './config.ts'
import { coreKinds } from './core.ts'
import { defineKind } from './define.ts'
import { networkingKinds } from './networking.ts'
import { rbacKinds } from './rbac.ts'
import { storageKinds } from './storage.ts'
import type { KindStrategy } from './strategy.ts'
import { volumeKinds } from './volumes.ts'

const strategies = new Map<string, KindStrategy>(
  [
    appsKinds,
    batchKinds,
    clusterKinds,
    configKinds,
    coreKinds,
    networkingKinds,
    rbacKinds,
    scalingKinds,
    storageKinds,
    volumeKinds,
  ].flatMap((kinds) => Object.entries(kinds)),
)

const common = defineKind({})

/** The strategy of a built-in resource (`'apps', 'deployments'`); one without rules of its own for every other. */
export function strategyFor(group: string, resource: string): KindStrategy {
  return strategies.get(group === '' ? resource : `${resource}.${group}`) ?? common
}
