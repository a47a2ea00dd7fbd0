import { badRequest } from '../errors.ts'
import { templateGeneration } from '../kinds/other-defaults.ts'
import type { KubeObject, ObjectMeta } from '../object.ts'
import type { ResourceRequest, ServerContext } from './server-context.ts'

/** What stands in annotations only because the served version has no field for it: kube-apiserver's own form has none. */
const convertedAnnotations: Readonly<Record<string, readonly string[]>> = {
  'apps/v1 DaemonSet': [templateGeneration],
  'autoscaling/v1 HorizontalPodAutoscaler': ['metrics', 'behavior', 'current-metrics', 'conditions'].map(
    (name) => `autoscaling.alpha.kubernetes.io/${name}`,
  ),
}

/** Only what `PartialObjectMetadata` carries. */
export function metadataOnly(object: KubeObject): object {
  const converted = convertedAnnotations[`${object.apiVersion} ${object.kind}`]
  const metadata = converted === undefined ? object.metadata : withoutAnnotations(object.metadata, converted)
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }
}

function withoutAnnotations(metadata: ObjectMeta, names: readonly string[]): ObjectMeta {
  const { annotations, ...rest } = metadata
  const left = Object.entries(annotations ?? {}).filter(([name]) => !names.includes(name))
  return left.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(left) }
}

/** What `includeObject` puts beside a row's cells: nothing, the metadata, or the whole object. */
function rowObject(rr: ResourceRequest, object: KubeObject): object | null {
  switch (rr.query.get('includeObject') ?? 'Metadata') {
    case 'None':
      return null
    case 'Object':
      return object
    case '':
    case 'Metadata':
      return metadataOnly(object)
    default:
      throw badRequest(`unrecognized includeObject value: ${JSON.stringify(rr.query.get('includeObject'))}`)
  }
}

/** Objects as a Table (meta/v1), with the columns of their kind. */
export function tableOf(
  server: ServerContext,
  rr: ResourceRequest,
  objects: readonly KubeObject[],
  metadata: object,
): object {
  const { table } = rr.type.behaviour
  // Go's table of last resort leaves its rows nil.
  const plain = table.columns.length === 2 && table.columns[1]?.name === 'Created At'
  const now = server.clock.now()
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${rr.wanted.as?.version ?? 'v1'}`,
    metadata,
    columnDefinitions: table.columns,
    rows:
      plain && objects.length === 0
        ? null
        : objects.map((object) => ({ cells: table.cells(object, now), object: rowObject(rr, object) })),
  }
}
