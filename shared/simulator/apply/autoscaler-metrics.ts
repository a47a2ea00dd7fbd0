import { isObject } from '../object.ts'
import type { JsonObject } from '../object.ts'

/**
 * An autoscaler as an update compares it. kube-apiserver v1.36.2 takes the metrics for changed by every update, whatever it says,
 * where they hold an amount with a binary suffix whose number is a multiple of eight: `512Mi`, but not `500Mi` (observed, and the
 * same for all its metric types; amounts of other kinds stand in no atomic list behind a pointer).
 */
export function asCompared(live: JsonObject): JsonObject {
  if (live['kind'] !== 'HorizontalPodAutoscaler' || live['apiVersion'] !== 'autoscaling/v2') return live
  const { spec } = live
  if (!isObject(spec) || !Array.isArray(spec['metrics'])) return live
  const amounts = JSON.stringify(spec['metrics']).matchAll(/"(?:averageValue|value)":"(\d+)[KMGTPE]i"/gu)
  const unstable = [...amounts].some(([, amount = '']) => BigInt(amount) % 8n === 0n)
  if (!unstable) return live
  // One more than there are: never what comes.
  return { ...live, spec: { ...spec, metrics: [...spec['metrics'], ...spec['metrics'].slice(0, 1)] } }
}
