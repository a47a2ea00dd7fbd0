import { isObject, textAt, valueAt } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import { age, itemsAt, labelsText, orNone, selectorCell, shape } from './cells.ts'
import type { TableShape } from './table-shape.ts'

function externalIp(service: KubeObject): string {
  const given = valueAt(service, 'spec', 'externalIPs')
  const own = Array.isArray(given) ? given.map(String) : []
  switch (textAt(service, 'spec', 'type')) {
    case 'LoadBalancer': {
      const balancer = itemsAt(service, 'status', 'loadBalancer', 'ingress').map(
        (entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'),
      )
      const all = [...balancer, ...own].filter((address) => address !== '')
      return all.length === 0 ? '<pending>' : all.join(',')
    }
    case 'ExternalName':
      return textAt(service, 'spec', 'externalName')
    default:
      return orNone(own.join(','))
  }
}

function ports(service: KubeObject): string {
  const shown = itemsAt(service, 'spec', 'ports').map((port) => {
    const node = typeof port['nodePort'] === 'number' && port['nodePort'] > 0 ? `:${port['nodePort']}` : ''
    return `${String(port['port'])}${node}/${textAt(port, 'protocol')}`
  })
  return orNone(shown.join(','))
}

function endpointsCell(object: KubeObject): string {
  const all = itemsAt(object, 'subsets').flatMap((subset) => {
    const addresses = itemsAt(subset, 'addresses')
    const numbers = itemsAt(subset, 'ports').map((port) => String(port['port']))
    return addresses.flatMap((address) =>
      numbers.length === 0 ? [textAt(address, 'ip')] : numbers.map((number) => `${textAt(address, 'ip')}:${number}`),
    )
  })
  return shortened(all)
}

function shortened(values: readonly string[], shown = 3): string {
  if (values.length <= shown) return orNone(values.join(','))
  return `${values.slice(0, shown).join(',')} + ${values.length - shown} more...`
}

function hosts(ingress: KubeObject): string {
  const named = itemsAt(ingress, 'spec', 'rules')
    .map((rule) => textAt(rule, 'host'))
    .filter((host) => host !== '')
  if (named.length === 0) return '*'
  return named.length <= 3 ? named.join(',') : `${named.slice(0, 3).join(',')} + ${named.length - 3} more...`
}

function slicePorts(slice: KubeObject): string {
  const list = itemsAt(slice, 'ports').map((port) => String(typeof port['port'] === 'number' ? port['port'] : '*'))
  return list.length === 0 ? '<unset>' : shortened(list)
}

function sliceAddresses(slice: KubeObject): string {
  const list = itemsAt(slice, 'endpoints').flatMap((endpoint: JsonObject) =>
    Array.isArray(endpoint['addresses']) ? endpoint['addresses'].map(String) : [],
  )
  return list.length === 0 ? '<unset>' : shortened(list)
}

/** Columns of the ways between pods. */
export const networkingTables: Readonly<Record<string, TableShape>> = {
  '/services': shape(
    ['Type', (o) => textAt(o, 'spec', 'type')],
    ['Cluster-IP', (o) => orNone(textAt(o, 'spec', 'clusterIP'))],
    ['External-IP', externalIp],
    ['Port(s)', ports],
    age,
    ['Selector', (o) => labelsText(valueAt(o, 'spec', 'selector')), 'wide'],
  ),
  '/endpoints': shape(['Endpoints', endpointsCell], age),
  'discovery.k8s.io/endpointslices': shape(
    ['AddressType', (o) => textAt(o, 'addressType')],
    ['Ports', slicePorts],
    ['Endpoints', sliceAddresses],
    age,
  ),
  'networking.k8s.io/ingresses': shape(
    ['Class', (o) => orNone(textAt(o, 'spec', 'ingressClassName'))],
    ['Hosts', hosts],
    [
      'Address',
      (o) =>
        itemsAt(o, 'status', 'loadBalancer', 'ingress')
          .map((entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'))
          .join(','),
    ],
    ['Ports', (o) => (itemsAt(o, 'spec', 'tls').length > 0 ? '80, 443' : '80')],
    age,
  ),
  'networking.k8s.io/ingressclasses': shape(
    ['Controller', (o) => textAt(o, 'spec', 'controller')],
    [
      'Parameters',
      (o) => {
        const parameters = valueAt(o, 'spec', 'parameters')
        if (!isObject(parameters)) return '<none>'
        const group = textAt(parameters, 'apiGroup')
        return `${textAt(parameters, 'kind')}${group === '' ? '' : `.${group}`}/${textAt(parameters, 'name')}`
      },
    ],
    age,
  ),
  'networking.k8s.io/networkpolicies': shape(
    ['Pod-Selector', (o) => selectorCell(valueAt(o, 'spec', 'podSelector'))],
    age,
  ),
}
