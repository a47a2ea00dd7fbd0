import { defineKind } from './define.ts'
import { objectAt, textAt } from './json.ts'
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
    if (live) dropTypeDependent(next, live)
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
