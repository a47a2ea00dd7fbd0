// Replays a recorded conversation with an API server in process and tells what differs.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiServer } from '../../shared/simulator/api-server.ts'
import { valueAt } from '../../shared/simulator/object.ts'

type Json = Record<string, unknown>

/** One request of a recorded conversation, with the answer of a real kube-apiserver. */
export interface Step {
  readonly name: string
  readonly method?: string
  readonly path: string
  readonly type?: string
  readonly accept?: string
  readonly body?: unknown
  /** Poll until the value at the pointer is this, or the status is. */
  readonly wait?: { readonly at?: string; readonly is?: unknown; readonly status?: number }
  readonly only?: readonly string[]
  readonly ignore?: boolean
  readonly expect?: { readonly status: number; readonly body: unknown }
}

export interface Conversation {
  readonly name: string
  readonly about: string
  readonly steps: readonly Step[]
}

const user = { name: 'admin', groups: ['system:masters'] }

/** The names of steps that went otherwise, with both answers. */
export async function differences(server: ApiServer, { steps }: Conversation): Promise<string[]> {
  const found: string[] = []
  for (const step of steps) {
    const { status, body } = await settled(server, step)
    if (step.ignore === true || step.expect === undefined) continue
    const shown =
      step.only === undefined
        ? body
        : Object.fromEntries(
            step.only.map((pointer) => [pointer, at(body, pointer)]).filter(([, value]) => value !== undefined),
          )
    const got = canonical({ status, body: shown })
    const want = canonical(step.expect)
    if (got !== want) found.push(`${step.name}\n  expected ${want}\n  got      ${got}`)
  }
  return found
}

async function settled(server: ApiServer, step: Step): Promise<{ readonly status: number; readonly body: unknown }> {
  for (let i = 0; ; i++) {
    const answer = ask(server, step)
    const { wait } = step
    if (wait === undefined || i > 50) return answer
    const arrived =
      wait.at === undefined ? answer.status === (wait.status ?? 200) : at(answer.body, wait.at) === wait.is
    if (arrived) return answer
    await sleep(10)
  }
}

function ask(server: ApiServer, step: Step): { readonly status: number; readonly body: unknown } {
  const body =
    step.body === undefined ? undefined : typeof step.body === 'string' ? step.body : JSON.stringify(step.body)
  const answer = server.handle({
    method: step.method ?? 'GET',
    path: step.path,
    headers: {
      accept: step.accept ?? 'application/json',
      ...(body === undefined ? {} : { 'content-type': step.type ?? 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
    user,
  })
  if (answer.kind === 'watch') return { status: answer.status, body: undefined }
  if (answer.kind === 'json') return { status: answer.status, body: JSON.parse(JSON.stringify(answer.body)) as unknown }
  return { status: answer.status, body: parsed(answer.body) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function at(value: unknown, pointer: string): unknown {
  return valueAt(
    value,
    ...pointer
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')),
  )
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/u
const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu

/** JSON with keys in order and without what differs from run to run. */
function canonical(value: unknown, key = ''): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item))
    return `[${(key === 'causes' || key === 'managedFields' ? items.sort() : items).join(',')}]`
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value as Json).filter(
      ([name]) => name !== 'selfLink' && name !== 'remainingItemCount',
    )
    return `{${entries
      .map(([name, child]) => `${JSON.stringify(name)}:${canonical(child, name)}`)
      .sort()
      .join(',')}}`
  }
  return JSON.stringify(typeof value === 'string' ? steady(value, key) : value) ?? 'null'
}

function steady(value: string, key: string): string {
  if (key === 'uid') return '<uid>'
  if (key === 'resourceVersion' && value !== '' && value !== '0') return '<rv>'
  if (key === 'continue' && value !== '') return '<continue>'
  return time.test(value) ? '<time>' : value.replaceAll(uid, '<uid>')
}
