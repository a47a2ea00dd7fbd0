import type { Application } from '../../model/application.ts'
import type { ObjectDrift } from '../../model/drift.ts'
import type { Cancellable, ClusterPort, Inventory, RendererPort } from '../../model/ports.ts'
import { fieldValidationFor } from '../options.ts'
import type { Pair } from '../pair.ts'
import type { PassContext } from '../pass-context.ts'
import { pendingOf, type Pending } from '../pending.ts'
import { ask } from './ask.ts'
import { fieldDrift, findLeft, type Finding } from './classify.ts'
import { failureOf, localFindings } from './fallback.ts'
import { foreignFields } from './foreign.ts'
import type { IgnoreRules } from './ignore.ts'
import { creationFailure } from './creation.ts'
import type { DriftMemory } from './memory.ts'
import { provesNoChange } from './proof.ts'
import { sentObject } from './sent.ts'

export type DriftContext = {
  readonly application: Application
  readonly cluster: ClusterPort
  readonly renderer: RendererPort
  readonly inventory: Inventory
  readonly ignore: IgnoreRules
  readonly memory: DriftMemory
  /** See ClusterFacts.epoch. */
  readonly epoch: string
  /** Group-kinds and namespaces that the same sync creates first; objects that need them cannot be tried yet. */
  readonly pending: Pending
  readonly cancel: Cancellable
}

/** Holds every pair against the server's word: by proof, by memory, and by asking where neither knows. */
export async function findDrift(
  pass: PassContext,
  pairs: readonly Pair[],
  inventory: Inventory,
  epoch: string,
): Promise<readonly ObjectDrift[]> {
  const { application, ports, ignore, cancel } = pass
  const context = {
    ...ports,
    application,
    inventory,
    ignore,
    cancel,
    epoch,
    memory: pass.memory.drift,
    pending: pendingOf(pairs),
  }
  const found = pairs.map((pair) => inspect(pair, context))
  // Waiting for ten thousand values that are already there would take longer than finding them did.
  return found.some((drift) => drift instanceof Promise)
    ? Promise.all(found.map(async (drift) => drift))
    : (found as ObjectDrift[])
}

/** A value where the answer is known at once, a promise only where the server has to be asked. */
function inspect(pair: Pair, context: DriftContext): ObjectDrift | Promise<ObjectDrift> {
  const { key } = pair
  const desired = pair.kind === 'extra' ? undefined : pair.desired
  const live = pair.kind === 'both' || pair.kind === 'extra' ? pair.live : undefined
  const epoch = `${context.epoch}|${context.ignore.digest}`
  const known = context.memory.settled(key, desired, live, epoch)
  if (known !== undefined) return known
  const settle = (drift: ObjectDrift): ObjectDrift => {
    context.memory.settle(key, { desired, live, epoch, drift })
    return drift
  }
  switch (pair.kind) {
    case 'unreadable':
      return unreadable(pair)
    case 'missing':
      return inspectMissing(pair, context).then(settle)
    case 'extra':
      return settle(extra(pair))
    case 'both': {
      const drift = inspectBoth(pair, context)
      return drift instanceof Promise ? drift.then(settle) : settle(drift)
    }
  }
}

function unreadable({ id, desired, failure }: Pair & { readonly kind: 'unreadable' }): ObjectDrift {
  const { apiVersion } = desired.object
  return { id, apiVersion, state: 'unknown', fields: [], notes: [], evidence: 'local', failure }
}

async function inspectMissing(pair: Pair & { readonly kind: 'missing' }, context: DriftContext): Promise<ObjectDrift> {
  const failure = await creationFailure(pair.desired, context)
  const { origin } = pair.desired.manifest
  return {
    id: pair.id,
    apiVersion: pair.desired.object.apiVersion,
    state: 'missing',
    fields: [],
    notes: [],
    evidence: failure === undefined ? 'server' : 'local',
    ...(origin === undefined ? {} : { origin }),
    ...(failure === undefined ? {} : { failure }),
  }
}

function extra(pair: Pair & { readonly kind: 'extra' }): ObjectDrift {
  const { object, uid, resourceVersion } = pair.live
  return {
    id: pair.id,
    apiVersion: object.apiVersion,
    state: 'extra',
    fields: [],
    notes: [],
    evidence: 'proof',
    uid,
    resourceVersion,
  }
}

type Both = Pair & { readonly kind: 'both' }

/** What is being deleted cannot be kept by an apply, whatever it answers: it is as good as gone. */
function going({ id, desired, live }: Both): ObjectDrift {
  const { origin } = desired.manifest
  return {
    id,
    apiVersion: desired.object.apiVersion,
    state: 'missing',
    fields: [],
    notes: [],
    evidence: 'proof',
    going: true,
    uid: live.uid,
    resourceVersion: live.resourceVersion,
    ...(origin === undefined ? {} : { origin }),
  }
}

function inspectBoth(pair: Both, context: DriftContext): ObjectDrift | Promise<ObjectDrift> {
  const { desired, live } = pair
  if (pair.going) return going(pair)
  const schema = desired.kind?.schema
  const trusted = context.ignore.trustedFor(pair.id)
  const sent = sentObject(desired.object, live, schema, trusted)
  const proven = provesNoChange(sent.object, live, schema)
  const foreign = foreignFields(sent.object, live, schema, trusted)
  if (proven && foreign.length === 0) return told(pair, findLeft(desired, sent), 'proof', context)
  const state = context.memory.stateKey(desired, live, context.epoch, [...trusted].sort().join(','))
  const answer = context.memory.answer(state)
  if (answer !== undefined) return told(pair, answer.findings, 'memory', context)
  const appliedBefore = context.inventory.get(pair.key)?.digest === desired.digest
  const fieldValidation = fieldValidationFor(context.application, desired.object)
  const question = { desired, live, sent, foreign, proven, appliedBefore, fieldValidation }
  return ask(question, context.cluster, context.cancel).then(
    (findings) => {
      context.memory.remember(state, { findings })
      return told(pair, findings, 'server', context)
    },
    async (error: unknown) => ({
      ...(await told(pair, localFindings(desired, sent, live, foreign), 'local', context)),
      state: 'unknown' as const,
      failure: failureOf(pair.id, error),
    }),
  )
}

/** Findings as an object's drift, less what the person chose to ignore. Ignored differences stay visible as notes. */
function told(
  pair: Both,
  findings: readonly Finding[],
  evidence: ObjectDrift['evidence'],
  context: DriftContext,
): ObjectDrift | Promise<ObjectDrift> {
  if (!findings.some((finding) => finding.counts)) return shaped(pair, findings, evidence, context)
  const ignored = context.ignore.pathsFor(pair.id, pair.live.object, pair.desired.object)
  if (ignored === undefined) return shaped(pair, findings, evidence, context)
  return ignored.then(
    (covers) => {
      const kept = findings.map((found) => (found.counts && covers(found.path) ? { ...found, counts: false } : found))
      return shaped(pair, kept, evidence, context)
    },
    (error: unknown) => ({ ...shaped(pair, findings, evidence, context), failure: failureOf(pair.id, error) }),
  )
}

function shaped(
  { id, desired, live }: Both,
  findings: readonly Finding[],
  evidence: ObjectDrift['evidence'],
  { renderer }: DriftContext,
): ObjectDrift {
  const tell = (counts: boolean): ObjectDrift['fields'] =>
    findings
      .filter((finding) => finding.counts === counts)
      .map((finding) => fieldDrift(finding, desired, live, renderer))
  const fields = tell(true)
  const { origin } = desired.manifest
  return {
    id,
    apiVersion: desired.object.apiVersion,
    state: fields.length === 0 ? 'synced' : 'changed',
    fields,
    notes: tell(false),
    evidence,
    uid: live.uid,
    resourceVersion: live.resourceVersion,
    ...(origin === undefined ? {} : { origin }),
  }
}
