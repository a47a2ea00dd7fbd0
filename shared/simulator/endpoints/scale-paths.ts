import { isObject, textAt, valueAt } from '../object.ts'
import type { KubeObject } from '../object.ts'

/** Where a kind keeps what `/scale` shows. */
export interface ScalePaths {
  readonly specReplicas: readonly string[]
  readonly statusReplicas: readonly string[]
  /** A path to a selector in text, or what the built-in kinds have: a LabelSelector (or a plain map) at spec.selector. */
  readonly selector: readonly string[] | 'spec.selector' | undefined
}

export const builtInScalePaths: ScalePaths = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  selector: 'spec.selector',
}

/** The `autoscaling/v1` Scale of an object, without owners. */
export function scaleOf(object: KubeObject, paths: ScalePaths): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const replicas = valueAt(object, ...paths.specReplicas)
  const selector = selectorText(object, paths)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: {
      replicas: Number(valueAt(object, ...paths.statusReplicas) ?? 0),
      ...(selector === '' ? {} : { selector }),
    },
  }
}

function selectorText(object: KubeObject, { selector }: ScalePaths): string {
  if (selector === undefined) return ''
  if (selector !== 'spec.selector') return textAt(object, ...selector)
  const value = valueAt(object, 'spec', 'selector')
  if (!isObject(value)) return ''
  const isLabelSelector = 'matchLabels' in value || 'matchExpressions' in value
  const labels = isLabelSelector ? value['matchLabels'] : value
  const terms = Object.entries(isObject(labels) ? labels : {}).map(([key, text]) => ({
    key,
    text: `${key}=${String(text)}`,
  }))
  const expressions = isLabelSelector && Array.isArray(value['matchExpressions']) ? value['matchExpressions'] : []
  for (const expression of expressions as Expression[])
    terms.push({ key: expression.key, text: expressionText(expression) })
  return terms
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ text }) => text)
    .join(',')
}

interface Expression {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[]
}

function expressionText({ key, operator, values = [] }: Expression): string {
  const listed = `(${[...values].sort().join(',')})`
  switch (operator) {
    case 'In':
      return `${key} in ${listed}`
    case 'NotIn':
      return `${key} notin ${listed}`
    case 'Exists':
      return key
    default:
      return `!${key}`
  }
}
