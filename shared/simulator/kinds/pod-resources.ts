import type { Json } from './json.ts'
import { ensureObject, objectAt, objectsAt, setAbsent, textAt, textMapAt } from './json.ts'
import { addQuantities, compareQuantities, formatQuantity, parseQuantity } from '../../fields/quantity.ts'

type Amounts = Readonly<Record<string, string>>

const supported = (name: string): boolean => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-')

/**
 * Pod-level resources: requests from what the containers ask together, then from the pod's limits
 * (`defaultPodRequests`, `defaultHugePagePodLimits`).
 */
export function defaultPodResources(spec: Json): void {
  const resources = objectAt(spec, 'resources')
  if (!resources) return
  const asked = textMapAt(resources, 'requests')
  if (Object.keys(textMapAt(resources, 'limits')).length + Object.keys(asked).length === 0) return
  for (const [name, amount] of Object.entries(total(spec, 'limits'))) {
    if (name.startsWith('hugepages-') && asked[name] === undefined)
      setAbsent(ensureObject(resources, 'limits'), name, amount)
  }
  const limits = textMapAt(resources, 'limits')
  if (Object.keys(limits).length === 0) return
  for (const [name, amount] of Object.entries(total(spec, 'requests'))) {
    if (name === 'cpu' || name === 'memory') setAbsent(ensureObject(resources, 'requests'), name, amount)
  }
  for (const [name, amount] of Object.entries(limits)) {
    if (supported(name)) setAbsent(ensureObject(resources, 'requests'), name, amount)
  }
}

/** What the containers need together: the sum of those that run side by side, or a larger init container. */
export function total(spec: Json, kind: 'requests' | 'limits'): Record<string, string> {
  const sum: Record<string, string> = {}
  for (const container of objectsAt(spec, 'containers')) add(sum, textMapAt(objectAt(container, 'resources'), kind))
  const sidecars: Record<string, string> = {}
  const peak: Record<string, string> = {}
  for (const container of objectsAt(spec, 'initContainers')) {
    const amounts = textMapAt(objectAt(container, 'resources'), kind)
    const running = { ...sidecars }
    add(running, amounts)
    if (textAt(container, 'restartPolicy') === 'Always') {
      add(sum, amounts)
      add(sidecars, amounts)
    }
    largest(peak, running)
  }
  largest(sum, peak)
  return sum
}

function add(sum: Record<string, string>, amounts: Amounts): void {
  for (const [name, amount] of Object.entries(amounts)) {
    const so = sum[name]
    sum[name] = so === undefined ? amount : formatQuantity(addQuantities(parseQuantity(so), parseQuantity(amount)))
  }
}

function largest(into: Record<string, string>, amounts: Amounts): void {
  for (const [name, amount] of Object.entries(amounts)) {
    const so = into[name]
    if (so === undefined || compareQuantities(parseQuantity(amount), parseQuantity(so)) > 0) into[name] = amount
  }
}
