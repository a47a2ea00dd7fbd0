import type { ScalePaths } from '../endpoints/scale-paths.ts'
import { isObject, textAt } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import { compileJsonPath } from './json-path.ts'
import type { Structural } from './structural.ts'
import { structuralOf } from './structural.ts'

/** One version of a definition, ready for use. */
export interface CustomVersion {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
  readonly served: boolean
  readonly storage: boolean
  readonly schema: Structural
  readonly openAPIV3Schema: unknown
  readonly hasStatus: boolean
  readonly scale: ScalePaths | undefined
  readonly printerColumns: unknown
  readonly deprecationWarning: string | undefined
  readonly fieldSelectors: Readonly<Record<string, (o: KubeObject) => string>>
}

/** Reads the versions of a definition as the store has it. */
export function versionsOf(definition: KubeObject): CustomVersion[] {
  const versions = isObject(definition['spec']) ? definition['spec']['versions'] : []
  return (Array.isArray(versions) ? versions : []).filter(isObject).map((version) => versionOf(definition, version))
}

function versionOf(definition: KubeObject, version: JsonObject): CustomVersion {
  const openAPIV3Schema = isObject(version['schema']) ? version['schema']['openAPIV3Schema'] : undefined
  const subresources = isObject(version['subresources']) ? version['subresources'] : {}
  const spec = isObject(definition['spec']) ? definition['spec'] : {}
  const name = textAt(version, 'name')
  const kind = textAt(spec, 'names', 'kind')
  const parsed = structuralOf(openAPIV3Schema)
  return {
    name,
    kind,
    namespaced: spec['scope'] === 'Namespaced',
    served: version['served'] === true,
    storage: version['storage'] === true,
    schema: spec['preserveUnknownFields'] === true ? { ...parsed, preserveUnknown: true } : parsed,
    openAPIV3Schema,
    hasStatus: subresources['status'] !== undefined,
    scale: isObject(subresources['scale']) ? scaleOf(subresources['scale']) : undefined,
    printerColumns: version['additionalPrinterColumns'],
    deprecationWarning: version['deprecated'] === true ? deprecation(spec, version, kind) : undefined,
    fieldSelectors: selectorsOf(version['selectableFields']),
  }
}

function scaleOf(scale: JsonObject): ScalePaths {
  const path = (key: string): string[] => textAt(scale, key).replace(/^\./u, '').split('.')
  return {
    specReplicas: path('specReplicasPath'),
    statusReplicas: path('statusReplicasPath'),
    selector: textAt(scale, 'labelSelectorPath') === '' ? undefined : path('labelSelectorPath'),
  }
}

function deprecation(spec: JsonObject, version: JsonObject, kind: string): string {
  const own = textAt(version, 'deprecationWarning')
  if (own !== '') return own
  const group = textAt(spec, 'group')
  const others = Array.isArray(spec['versions']) ? spec['versions'].filter(isObject) : []
  const better = others.find((other) => other['served'] === true && other['deprecated'] !== true && other !== version)
  const hint = better === undefined ? '' : `; use ${group}/${textAt(better, 'name')} ${kind}`
  return `${group}/${textAt(version, 'name')} ${kind} is deprecated${hint}`
}

function selectorsOf(selectable: unknown): Readonly<Record<string, (o: KubeObject) => string>> {
  const readers: Record<string, (o: KubeObject) => string> = {}
  for (const field of Array.isArray(selectable) ? selectable : []) {
    const text = textAt(field, 'jsonPath')
    const path = compileJsonPath(text)
    if (path === undefined || text === '') continue
    readers[text.replace(/^\./u, '')] = (o) => {
      const [value = ''] = path(o)
      return typeof value === 'string' ? value : JSON.stringify(value)
    }
  }
  return readers
}
