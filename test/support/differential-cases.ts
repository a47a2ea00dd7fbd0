import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { NormalAnswer } from './differential-compare.ts'
import { answersOf } from './differential-conversation.ts'
import type { Step } from './differential-step.ts'
import type { DifferentialTarget } from './differential-target.ts'

/** A conversation in which the embedded server once differed, with what kube-apiserver answers. */
export interface DifferentialCase {
  readonly server: string
  readonly steps: readonly (Step & { readonly expect: NormalAnswer })[]
}

const folder = path.resolve(import.meta.dirname, '../fixtures/differential')
const server = 'kube-apiserver v1.36.2'

/** Records what the real server answers to a conversation as a case; the answer is the case's name. */
export async function writeCase(real: DifferentialTarget, steps: readonly Step[]): Promise<string> {
  const answers = await answersOf(real, steps)
  const expected = steps.map((step, index) => ({ ...step, expect: answers[index] }))
  const name = caseName(steps)
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, `${name}.json`), `${JSON.stringify({ server, steps: expected }, undefined, 1)}\n`)
  return name
}

export async function readCases(): Promise<ReadonlyMap<string, DifferentialCase>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  const cases = new Map<string, DifferentialCase>()
  for (const name of names) {
    const text = await readFile(path.join(folder, name), 'utf8')
    cases.set(name.slice(0, -'.json'.length), JSON.parse(text) as DifferentialCase)
  }
  return cases
}

/** Says what its last request was, and tells itself apart by what all of them were. */
function caseName(steps: readonly Step[]): string {
  const last = steps.at(-1)
  const resource = /(?:\{\{ns\}\}\/|\/)([a-z]+)(?:\/[^/]*)?(?:\/(?:status|scale))?$/u.exec(
    last?.path.split('?')[0] ?? '',
  )?.[1]
  const hash = createHash('sha256').update(JSON.stringify(steps)).digest('hex').slice(0, 8)
  return [last?.method.toLowerCase(), kindOfBody(last?.type), resource, hash]
    .filter((part) => part !== undefined)
    .join('-')
}

function kindOfBody(type: string | undefined): string | undefined {
  return type === undefined ? undefined : /(apply|strategic|merge|json-patch)/u.exec(type)?.[1]
}
