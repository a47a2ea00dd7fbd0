import { HEALTH_ORDER, type HealthCode } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'

const ANNOTATION = 'argocd.argoproj.io/health-aggregate-overrides'

type Mapping = { readonly from: HealthCode; readonly to: HealthCode }

/**
 * What an object of some health counts as for its application, where its annotation says so: `Suspended=Healthy`, more of
 * them by commas (Argo CD `docs/user-guide/annotations-and-labels.md`).
 */
export function aggregateOf(object: KubeObject | undefined, status: HealthCode): HealthCode | undefined {
  const text = object?.metadata.annotations?.[ANNOTATION]
  if (text === undefined) return undefined
  return wordsOf(text)
    .map(mappingOf)
    .find((mapping) => mapping?.from === status)?.to
}

/** Sentences about mappings that mean nothing. */
export function aggregateProblems({ metadata: { annotations } }: KubeObject): readonly string[] {
  const words = wordsOf(annotations?.[ANNOTATION] ?? '').filter((word) => mappingOf(word) === undefined)
  return words.map((word) => `${ANNOTATION}: ${JSON.stringify(word)} is no mapping such as Suspended=Healthy`)
}

function wordsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

function mappingOf(word: string): Mapping | undefined {
  const parts = word.split('=').map((part) => HEALTH_ORDER.find((code) => code === part.trim()))
  const [from, to] = parts
  return parts.length === 2 && from !== undefined && to !== undefined ? { from, to } : undefined
}
