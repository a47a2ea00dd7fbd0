import { differenceOf, normalAnswer } from './differential-compare.ts'
import type { Difference, NormalAnswer } from './differential-compare.ts'
import { edited } from './differential-step.ts'
import type { Json, Step } from './differential-step.ts'
import type { DifferentialTarget } from './differential-target.ts'

/** Two servers side by side: the first is the judge. */
export interface Pair {
  readonly real: DifferentialTarget
  readonly ours: DifferentialTarget
}

export interface Finding {
  readonly index: number
  readonly difference: Difference
}

let conversations = 0

/** A namespace that no conversation has had; of one length, so that lengths in messages are equal. */
function freshNamespace(): string {
  conversations++
  return `d${Date.now().toString(36)}-${String(conversations).padStart(5, '0')}`
}

/**
 * Holds one conversation with both servers in a fresh namespace.
 *
 * @returns every difference; after one the states may differ, so only the first is sure to be one of its own.
 */
export async function converse(
  { real, ours }: Pair,
  steps: readonly Step[],
  stopAtFirst = false,
): Promise<readonly Finding[]> {
  const namespace = freshNamespace()
  const findings: Finding[] = []
  for (const target of [real, ours]) await open(target, namespace)
  for (const [index, step] of steps.entries()) {
    const [a, b] = await Promise.all([real.call(step), ours.call(step)])
    const difference = differenceOf(normalAnswer(a, namespace), normalAnswer(b, namespace))
    if (difference === undefined) continue
    findings.push({ index, difference })
    if (stopAtFirst) break
  }
  return findings
}

/** What one server answers to a conversation, normalised. */
export async function answersOf(target: DifferentialTarget, steps: readonly Step[]): Promise<readonly NormalAnswer[]> {
  const namespace = freshNamespace()
  await open(target, namespace)
  const answers: NormalAnswer[] = []
  for (const step of steps) answers.push(normalAnswer(await target.call(step), namespace))
  return answers
}

async function open(target: DifferentialTarget, namespace: string): Promise<void> {
  target.begin(namespace)
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
  const { status } = await target.call({ method: 'POST', path: '/api/v1/namespaces', body })
  if (status !== 201) throw new Error(`namespace ${namespace}: ${status}`)
}

/** What makes two differences one: the request's shape and where the answers part. */
export function signatureOf(step: Step, { body, messages }: Difference): string {
  const line = body[0] ?? messages[0] ?? ''
  const [sign, path = ''] = line.split(' ')
  const resource = step.path.split('?')[0]?.replace('{{ns}}', 'ns') ?? ''
  const words = line.replaceAll(/"[^"]*"|\d+/gu, '').slice(0, 160)
  return `${step.method} ${step.type ?? ''} ${resource.replace(/[^/]+$/u, '')} ${sign} ${path} ${words}`
}

/**
 * The shortest conversation, by leaving steps out, that still ends in a difference at the same place.
 */
export async function shrink(
  pair: Pair,
  steps: readonly Step[],
  { index, difference }: Finding,
): Promise<readonly Step[]> {
  const last = steps[index]
  if (last === undefined) throw new Error('a finding outside its conversation')
  const wanted = placeOf(difference)
  let kept = steps.slice(0, index)
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < kept.length;) {
      const tried = [...kept.slice(0, start), ...kept.slice(start + size)]
      if (await stillDiffers(pair, [...tried, last], wanted)) kept = tried
      else start += size
    }
  }
  return shrinkBodies(pair, [...kept, last], wanted)
}

/** Leaves out of the bodies what the difference does not need. */
async function shrinkBodies(pair: Pair, steps: readonly Step[], wanted: string): Promise<readonly Step[]> {
  let best = steps
  for (const [index, step] of steps.entries()) {
    if (step.body === undefined) continue
    let budget = 120
    const queue: (readonly (string | number)[])[] = [[]]
    for (let at = queue.shift(); at !== undefined && budget > 0; at = queue.shift()) {
      for (const key of keysAt(best[index]?.body ?? null, at)) {
        const body = edited(best[index]?.body ?? null, { at: [...at, key] })
        const tried = best.map((known, position) => (position === index ? { ...known, body } : known))
        budget--
        if (await stillDiffers(pair, tried, wanted)) best = tried
        else queue.push([...at, key])
      }
    }
  }
  return best
}

/** The keys of what is at a path, last first, so that taking one out moves none of the others. */
function keysAt(value: Json, at: readonly (string | number)[]): readonly (string | number)[] {
  let here: unknown = value
  for (const key of at)
    here = here !== null && typeof here === 'object' ? (here as Record<string, unknown>)[key] : undefined
  if (Array.isArray(here)) return here.map((_, index) => index).reverse()
  return here !== null && typeof here === 'object' ? Object.keys(here) : []
}

async function stillDiffers(pair: Pair, steps: readonly Step[], wanted: string): Promise<boolean> {
  const findings = await converse(pair, steps)
  return findings.some(({ index, difference }) => index === steps.length - 1 && placeOf(difference) === wanted)
}

function placeOf({ body, messages }: Difference): string {
  return (body[0] ?? messages[0] ?? '').replaceAll(/"[^"]*"|\d+/gu, '').slice(0, 80)
}
