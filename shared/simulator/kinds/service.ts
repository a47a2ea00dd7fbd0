import type { KubeObject } from '../object.ts'
import { defineKind } from './define.ts'
import { absent, objectAt, textAt } from './json.ts'
import { labelName } from './names.ts'
import { allocateService, dropTypeDependent } from './service-allocation.ts'
import { serviceChangeErrors, serviceErrors } from './service-rules.ts'
import { balancerStatusErrors } from './service-status.ts'
import { serviceWarnings } from './service-warnings.ts'

export const service = defineKind({
  name: labelName,
  status: true,
  createOnUpdate: true,
  begin: allocateService,
  prepare: (next, live) => {
    if (!live) return
    dropTypeDependent(next, live)
    if (textAt(objectAt(live, 'spec'), 'type') === 'ExternalName') disownTraffic(next)
  },
  validate: serviceErrors,
  changeFirst: true,
  validateChange: serviceChangeErrors,
  validateStatus: balancerStatusErrors,
  warnings: serviceWarnings,
  fieldSelectors: {
    'spec.clusterIP': (o) => textAt(objectAt(o, 'spec'), 'clusterIP'),
    'spec.type': (o) => textAt(objectAt(o, 'spec'), 'type'),
  },
})

/**
 * kube-apiserver keeps the traffic policy of a service that has become a name for something outside, though it shows none: the
 * next write that says nothing of it ends who owned it.
 */
function disownTraffic(service: KubeObject): void {
  if (!absent(objectAt(service, 'spec'), 'internalTrafficPolicy')) return
  const entries = service.metadata.managedFields?.flatMap((entry) => {
    const { 'f:internalTrafficPolicy': policy, ...spec } = objectAt(entry.fieldsV1, 'f:spec') ?? {}
    if (policy === undefined) return [entry]
    const { 'f:spec': _all, ...others } = entry.fieldsV1 ?? {}
    const fieldsV1 = Object.keys(spec).length === 0 ? others : { ...others, 'f:spec': spec }
    return Object.keys(fieldsV1).length === 0 ? [] : [{ ...entry, fieldsV1 }]
  })
  if (entries !== undefined) service.metadata.managedFields = entries
}
