import { validateMetadata, validateMetadataUpdate } from '../kinds/metadata.ts'
import type { KindStrategy } from '../kinds/strategy.ts'
import { isObject, privateCopy, sameJson, textAt } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import { pathSegmentName } from '../kinds/names.ts'
import { changeErrors, definitionErrors } from './definition-rules.ts'

/** How CustomResourceDefinitions themselves are defaulted and checked (apiextensions `registry/customresourcedefinition`). */
export const definitionStrategy: KindStrategy = {
  setDefaults(o) {
    const spec = part(o, 'spec')
    const names = part(spec, 'names')
    const kind = textAt(names, 'kind')
    if (textAt(names, 'singular') === '') names['singular'] = kind.toLowerCase()
    if (textAt(names, 'listKind') === '' && kind !== '') names['listKind'] = `${kind}List`
    const conversion = part(spec, 'conversion')
    if (textAt(conversion, 'strategy') === '') conversion['strategy'] = 'None'
  },
  prepareForCreate(o) {
    o.metadata.generation = 1
    o['status'] = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: storageVersions(o) }
  },
  prepareForUpdate(next, live) {
    const status = isObject(live['status']) ? privateCopy(live['status']) : {}
    const stored = Array.isArray(status['storedVersions']) ? status['storedVersions'] : []
    const added = storageVersions(next).filter((name) => !stored.includes(name))
    next['status'] = added.length === 0 ? status : { ...status, storedVersions: [...stored, ...added] }
    const changed = !sameJson(next['spec'], live['spec'])
    next.metadata.generation = (live.metadata.generation ?? 1) + (changed ? 1 : 0)
  },
  prepareForStatusUpdate(next, live) {
    next['spec'] = live['spec']
    const { managedFields } = next.metadata
    next.metadata = { ...privateCopy(live.metadata), ...(managedFields === undefined ? {} : { managedFields }) }
  },
  validateCreate: (o) => [...validateMetadata(o.metadata, pathSegmentName), ...definitionErrors(o)],
  validateUpdate: (next, live) => [
    ...validateMetadataUpdate(next, live),
    ...changeErrors(next, live),
    ...definitionErrors(next),
  ],
  validateStatus: (next, live) => validateMetadataUpdate(next, live),
  resetFields: { main: [['status']], status: [['metadata'], ['spec']] },
  allowUnconditionalUpdate: false,
  allowCreateOnUpdate: false,
}

function part(o: JsonObject | KubeObject, key: string): JsonObject {
  const known = o[key]
  if (isObject(known)) return known
  const made: JsonObject = {}
  o[key] = made
  return made
}

function storageVersions(o: KubeObject): string[] {
  const versions = isObject(o['spec']) ? o['spec']['versions'] : []
  return (Array.isArray(versions) ? versions : [])
    .filter((version) => isObject(version) && version['storage'] === true)
    .map((version) => textAt(version, 'name'))
}
