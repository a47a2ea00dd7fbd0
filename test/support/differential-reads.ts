import { chance, pickFrom } from './differential-random.ts'
import type { Subject } from './differential-values.ts'
import type { Step } from './differential-step.ts'
import type { Random } from './random.ts'

const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
const partialList = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

const accepts: readonly string[] = [
  tableType,
  partial,
  partialList,
  'application/json',
  '*/*',
  'application/*',
  'text/html',
  'application/json;as=Odd;v=v1;g=meta.k8s.io',
  'application/yaml',
]

const listOptions: readonly string[] = [
  'labelSelector=a%3Db',
  'labelSelector=a%20in%20(b,c)',
  'labelSelector=a%20notin%20(b)',
  'labelSelector=!a',
  'labelSelector=a',
  'labelSelector=a%3D%3Db,team',
  'labelSelector=a%3D(',
  'labelSelector=a%20in%20b',
  'labelSelector=a%3E5',
  'labelSelector=%3D%3D',
  'labelSelector=a%3D-bad-',
  'fieldSelector=metadata.name%3Done',
  'fieldSelector=metadata.name!%3Done',
  'fieldSelector=metadata.namespace%3D{{ns}}',
  'fieldSelector=spec.odd%3D1',
  'fieldSelector=spec.size%3Dm',
  'fieldSelector=status.phase%3DRunning',
  'fieldSelector=type%3DOpaque',
  'fieldSelector=metadata.name',
  'limit=1',
  'limit=1&continue={{continue}}',
  'limit=x',
  'limit=-1',
  'continue=bogus',
  'resourceVersion=0',
  'resourceVersion=x',
  'resourceVersion=0&resourceVersionMatch=Exact',
  'resourceVersionMatch=NotOlderThan',
  'resourceVersion=999999999',
  'sendInitialEvents=true',
  'timeoutSeconds=x',
  'pretty=false',
  'bogus=1',
]

/** A list, a get or a watch, plain or in another form. */
export function readRequest(random: Random, { sample, path }: Subject): Step {
  if (chance(random, 0.45)) {
    const accept = chance(random, 0.3) ? pickFrom(random, accepts) : undefined
    const url = chance(random, 0.1)
      ? `${path}?${pickFrom(random, ['resourceVersion=0', 'resourceVersion=x', 'pretty=0', 'includeObject=None'])}`
      : path
    return { method: 'GET', path: url, ...(accept === undefined ? {} : { accept }) }
  }
  const collection = sample.collection
  if (chance(random, 0.04)) return watchRequest(random, collection)
  const options = Array.from({ length: random.below(3) }, () => pickFrom(random, listOptions)).filter(
    // Waits for seconds, and only then refuses.
    (option) => option !== 'resourceVersion=999999999' || chance(random, 0.05),
  )
  // Kinds of the whole cluster are everybody's: only those of this conversation are asked for.
  if (sample.clusterScoped === true) options.push('fieldSelector=metadata.name%3D{{ns}}-one')
  const accept = chance(random, 0.35) ? pickFrom(random, accepts) : undefined
  const url = options.length === 0 ? collection : `${collection}?${options.join('&')}`
  return { method: 'GET', path: url, ...(accept === undefined ? {} : { accept }) }
}

function watchRequest(random: Random, collection: string): Step {
  if (!collection.includes('{{ns}}')) return { method: 'GET', path: `${collection}?watch=true&resourceVersion=x` }
  const options = pickFrom(random, [
    '',
    '&labelSelector=a%3Db',
    '&resourceVersion=0',
    '&resourceVersion=x',
    '&allowWatchBookmarks=true',
    '&fieldSelector=metadata.name%3Done',
    '&sendInitialEvents=true',
    '&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
  ])
  const accept = chance(random, 0.2) ? tableType : undefined
  return {
    method: 'GET',
    path: `${collection}?watch=true&timeoutSeconds=1${options}`,
    ...(accept === undefined ? {} : { accept }),
  }
}
