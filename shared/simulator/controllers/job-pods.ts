import type { Json } from '../kinds/json.ts'
import { ensureObject, objectAt, objectsAt, textAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import type { Host } from './host.ts'
import { HostError } from './host.ts'
import { isActive, phaseOf } from './pod-state.ts'
import { podFromTemplate } from './pod-template.ts'
import { pods } from './resources.ts'

const indexKey = 'batch.kubernetes.io/job-completion-index'

export function indexOf(pod: KubeObject): number {
  return Number(pod.metadata.annotations?.[indexKey] ?? -1)
}

/** The indexes that are done, by the pods that are there and by what was counted before. */
export function completedIndexes(present: readonly KubeObject[], status: Json): Set<number> {
  const done = new Set(parseIndexes(textAt(status, 'completedIndexes')))
  for (const pod of present) if (phaseOf(pod) === 'Succeeded') done.add(indexOf(pod))
  return done
}

function parseIndexes(text: string): number[] {
  return text.split(',').flatMap((part) => {
    if (part === '') return []
    const [from = 0, to = from] = part.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, i) => from + i)
  })
}

/** `0-2,5` */
export function indexesText(indexes: ReadonlySet<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b)
  const parts: string[] = []
  for (let i = 0; i < sorted.length;) {
    let end = i
    while (sorted[end + 1] === (sorted[end] ?? 0) + 1) end++
    const [from, to] = [sorted[i] ?? 0, sorted[end] ?? 0]
    parts.push(from === to ? String(from) : to === from + 1 ? `${from},${to}` : `${from}-${to}`)
    i = end + 1
  }
  return parts.join(',')
}

/** The indexes that have neither succeeded nor a pod at work. */
export function neededIndexes(present: readonly KubeObject[], completions: number, status: Json): number[] {
  const taken = completedIndexes(present, status)
  for (const pod of present) if (isActive(pod)) taken.add(indexOf(pod))
  return Array.from({ length: completions }, (_, i) => i).filter((index) => !taken.has(index))
}

export function createJobPod(host: Host, job: KubeObject, index: number | undefined): void {
  const template = objectAt(objectAt(job, 'spec'), 'template') ?? {}
  const base = job.metadata.name ?? ''
  const generateName = index === undefined ? `${base}-` : `${base}-${index}-`
  const pod = podFromTemplate(template, job, { generateName })
  if (index !== undefined) mark(pod, base, index)
  try {
    const made = host.create(pods, pod)
    host.event(job, 'Normal', 'SuccessfulCreate', `Created pod: ${made.metadata.name ?? ''}`, 'job-controller')
  } catch (error) {
    if (!HostError.is(error)) throw error
    host.event(job, 'Warning', 'FailedCreate', `Error creating: ${error.message}`, 'job-controller')
    throw error
  }
}

/** A pod of an indexed job knows its index. */
function mark(pod: KubeObject, job: string, index: number): void {
  pod.metadata.annotations = { ...pod.metadata.annotations, [indexKey]: String(index) }
  pod.metadata.labels = { ...pod.metadata.labels, [indexKey]: String(index) }
  const spec = ensureObject(pod, 'spec')
  spec['hostname'] = `${job}-${index}`
  const fieldPath = `metadata.labels['${indexKey}']`
  const variable = { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { fieldPath } } }
  for (const container of objectsAt(spec, 'containers')) container['env'] = [...objectsAt(container, 'env'), variable]
}
