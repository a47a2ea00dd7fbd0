import { defineKind } from './define.ts'
import { objectAt, textAt } from './json.ts'
import { labelName } from './names.ts'
import { prepareService } from './service-allocation.ts'
import { serviceChangeErrors, serviceErrors } from './service-rules.ts'

export const service = defineKind({
  name: labelName,
  status: true,
  createOnUpdate: true,
  prepare: prepareService,
  validate: serviceErrors,
  validateChange: serviceChangeErrors,
  fieldSelectors: {
    'spec.clusterIP': (o) => textAt(objectAt(o, 'spec'), 'clusterIP'),
    'spec.type': (o) => textAt(objectAt(o, 'spec'), 'type'),
  },
})
