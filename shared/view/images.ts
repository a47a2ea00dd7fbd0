import { isArray, isObject, valueAt, type Json } from '../model/json.ts'
import type { KubeObject } from '../model/kubernetes.ts'

/** Where kinds keep the pods that they make, or themselves where they are one. */
const POD_SPECS: readonly (readonly string[])[] = [
  ['spec'],
  ['spec', 'template', 'spec'],
  ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
]

/** The images that objects run, each once, sorted. */
export function imagesOf(objects: Iterable<KubeObject>): readonly string[] {
  const images = new Set<string>()
  for (const object of objects) {
    for (const path of POD_SPECS) collect(valueAt(object, path), images)
  }
  return [...images].sort()
}

function collect(spec: Json | undefined, images: Set<string>): void {
  if (!isObject(spec)) return
  for (const list of [spec['initContainers'], spec['containers']]) {
    if (!isArray(list)) continue
    for (const container of list) {
      const image = isObject(container) ? container['image'] : undefined
      if (typeof image === 'string' && image !== '') images.add(image)
    }
  }
}
