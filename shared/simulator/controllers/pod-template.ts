import type { Json } from '../kinds/json.ts'
import { objectAt, textMapAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { privateCopy } from '../object.ts'
import { controllerReference } from './ownership.ts'

/** A pod as a workload makes it from its template. */
export function podFromTemplate(
  template: Json,
  owner: KubeObject,
  name: { name: string } | { generateName: string },
): KubeObject {
  const metadata = objectAt(template, 'metadata')
  const finalizers = metadata?.['finalizers']
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...name,
      namespace: owner.metadata.namespace ?? '',
      labels: { ...textMapAt(metadata, 'labels') },
      annotations: { ...textMapAt(metadata, 'annotations') },
      ...(Array.isArray(finalizers) && { finalizers: [...(finalizers as string[])] }),
      ownerReferences: [controllerReference(owner)],
    },
    spec: privateCopy(objectAt(template, 'spec') ?? {}),
  }
}

const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** A short name for a template: FNV-1a over its JSON with sorted keys, in letters that spell no words. */
export function templateHash(template: unknown, collisions: number): string {
  let hash = 0x81_1c_9d_c5
  const text = `${stableJson(template)}${collisions === 0 ? '' : String(collisions)}`
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i)
    hash = Math.imul(hash, 0x01_00_01_93) >>> 0
  }
  return String(hash).replaceAll(/\d/gu, (digit) => alphabet.charAt(digit.charCodeAt(0) % alphabet.length))
}

export function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const record = value as Json
  const entries = Object.keys(record)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stableJson(record[key])}`)
  return `{${entries.join(',')}}`
}
