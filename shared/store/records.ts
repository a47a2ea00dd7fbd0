import { isArray, isObject, type Json, type JsonObject } from '../model/json.ts'
import type { HookRun, Initiator, Operation, OperationPhase, Outcome, StepOutcome } from '../model/outcome.ts'
import type { InventoryEntry } from '../model/ports.ts'
import type { HistoryEntry } from '../model/status.ts'

/** How the store writes what it keeps: compact JSON in ConfigMap values. What cannot be read is left out, never guessed. */

export function writeEntry(entry: InventoryEntry): string {
  const { group, kind, namespace, name } = entry.id
  return JSON.stringify({ group, kind, namespace, name, version: entry.version, digest: entry.digest })
}

export function readEntry(text: string): InventoryEntry | undefined {
  const value = parsed(text)
  if (value === undefined) return undefined
  const parts = FIELDS.map((field) => value[field])
  if (!parts.every((part) => typeof part === 'string')) return undefined
  const [group = '', kind = '', namespace = '', name = '', version = '', digest = ''] = parts
  return { id: { group, kind, namespace, name }, version, digest }
}

const FIELDS = ['group', 'kind', 'namespace', 'name', 'version', 'digest']

export function readHistory(text: string): HistoryEntry | undefined {
  const value = parsed(text)
  if (value === undefined || typeof value['id'] !== 'number' || typeof value['revision'] !== 'string') return undefined
  return {
    id: value['id'],
    revision: value['revision'],
    deployedAt: word(value['deployedAt']),
    deployStartedAt: word(value['deployStartedAt']),
    initiatedBy: word(value['initiatedBy']),
    automated: value['automated'] === true,
    ...readSources(value),
    ...(value['healthy'] === true ? { healthy: true } : {}),
  }
}

function readSources(value: JsonObject): {
  readonly sources?: readonly Json[]
  readonly revisions?: readonly string[]
} {
  const { sources, revisions } = value
  if (!isArray(sources) || !isArray(revisions)) return {}
  return { sources, revisions: revisions.map(word) }
}

export function readOutcome(text: string): Outcome | undefined {
  const value = parsed(text)
  if (value === undefined || !isArray(value['steps'])) return undefined
  return {
    phase: word(value['phase']) as OperationPhase,
    message: word(value['message']),
    startedAt: word(value['startedAt']),
    finishedAt: word(value['finishedAt']),
    revision: word(value['revision']),
    steps: value['steps'].filter(isObject) as unknown as readonly StepOutcome[],
    ...(isObject(value['initiatedBy']) ? { initiatedBy: readInitiator(value['initiatedBy']) } : {}),
    ...readSources(value),
    ...(typeof value['healAttempt'] === 'number' ? { healAttempt: value['healAttempt'] } : {}),
    ...(typeof value['retries'] === 'number' ? { retries: value['retries'] } : {}),
  }
}

/** A ConfigMap may hold 1 MiB, and that of operations holds the last sync and the one that is under way. */
const MOST_STEPS = 500
const LONGEST_MESSAGE = 300

/** What is kept of the steps of a sync: a person reads the first of many, and of a long message its beginning. */
export function keptSteps(steps: readonly StepOutcome[]): readonly StepOutcome[] {
  return steps.slice(0, MOST_STEPS).map((step) => {
    const { message } = step
    return message.length <= LONGEST_MESSAGE ? step : { ...step, message: `${message.slice(0, LONGEST_MESSAGE)}…` }
  })
}

export function readResults(text: Json | undefined): readonly StepOutcome[] {
  try {
    const steps = typeof text === 'string' ? (JSON.parse(text) as Json) : undefined
    return isArray(steps) ? (steps.filter(isObject) as unknown as readonly StepOutcome[]) : []
  } catch {
    return []
  }
}

/** A running sync, with what the lock needs to know of whoever runs it. */
export function readOperation(
  text: string,
): { readonly operation: Operation; readonly holder: Json | undefined; readonly renewedAt: number } | undefined {
  const value = parsed(text)
  if (value === undefined || typeof value['id'] !== 'string' || !isObject(value['hooks'])) return undefined
  const { failure, steps, renewedAt } = value
  const operation: Operation = {
    id: value['id'],
    revision: word(value['revision']),
    request: word(value['request']),
    startedAt: word(value['startedAt']),
    initiatedBy: readInitiator(isObject(value['initiatedBy']) ? value['initiatedBy'] : {}),
    hooks: value['hooks'] as unknown as Readonly<Record<string, HookRun>>,
    terminate: false,
    steps: (isArray(steps) ? steps.filter(isObject) : []) as unknown as readonly StepOutcome[],
    sources: readSources(value).sources ?? [],
    revisions: readSources(value).revisions ?? [],
    ...(typeof value['healAttempt'] === 'number' ? { healAttempt: value['healAttempt'] } : {}),
    ...(typeof failure === 'string' ? { failure } : {}),
  }
  return { operation, holder: value['holder'], renewedAt: typeof renewedAt === 'number' ? renewedAt : 0 }
}

function readInitiator(value: JsonObject): Initiator {
  return { username: word(value['username']), automated: value['automated'] === true }
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function word(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
