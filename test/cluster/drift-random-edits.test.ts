import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { Pass } from '../../shared/core/status.ts'
import type { FieldDrift } from '../../shared/model/drift.ts'
import { fromPointer } from '../../shared/model/pointer.ts'
import { canonicalJson, parseJson, valueAt, type Json } from '../../shared/model/json.ts'
import { resourceKey, type KubeObject } from '../../shared/model/kubernetes.ts'
import type { Application } from '../../shared/model/application.ts'
import type { Session } from '../../shared/session.ts'
import { corpora, corporaMissing, corpusRepository, openCorpus, type Corpus } from '../support/corpora.ts'
import { Random } from '../support/random.ts'
import { patchText, randomEdit, type Edit } from '../support/random-edits.ts'
import { testServers } from '../support/test-servers.ts'

const EDITS = Number(process.env['PLUMBLINE_EDITS'] ?? 200)
const MANAGER = 'hand'

type Tally = { edits: number; found: number; readonly missed: string[]; readonly wrong: string[] }

for (const server of testServers) {
  for (const corpus of corpora) {
    test(`${corpus.name} on ${server.name}: every random live edit is found, at its place, and nothing else`, async (t) => {
      if (corporaMissing !== undefined) return t.skip(corporaMissing)
      const skip = await server.missing()
      if (skip !== undefined) return t.skip(skip)
      const running = await server.start(t)
      await editAtRandom(t, corpus, running)
    })
  }
}

async function editAtRandom(
  t: TestContext,
  corpus: Corpus,
  server: { readonly kubeconfig: string; readonly context: string },
): Promise<void> {
  const repository = await corpusRepository(corpus)
  t.after(() => repository.dispose())
  const { session, application } = await openCorpus(repository, server)
  t.after(() => session.dispose())
  let pass = await session.sync(application, { request: { prune: true, dryRun: false } })
  assert.equal(pass.snapshot.sync, 'Synced', JSON.stringify(pass.snapshot.conditions))

  const random = new Random(20_261_120)
  const tally: Tally = { edits: 0, found: 0, missed: [], wrong: [] }
  for (let tries = 0; tally.edits < EDITS && tries < EDITS * 20; tries++) {
    const done = await editOnce(session, application, pass, random, tries)
    if (done === undefined) continue
    tally.edits++
    pass = await session.look(application)
    judge(pass, done, corpus, tally)
    pass = await session.sync(application, { request: { prune: true, dryRun: false } })
    if (pass.snapshot.sync !== 'Synced')
      tally.wrong.push(
        `${done.name}: not healed: ${JSON.stringify(driftOf(pass)).slice(0, 400)} ${pass.outcome?.message}`,
      )
  }
  t.diagnostic(
    `${corpus.name}: ${tally.edits} edits, found ${tally.found}, missed ${tally.missed.length}, false ${tally.wrong.length}`,
  )
  assert.deepEqual({ missed: tally.missed, false: tally.wrong }, { missed: [], false: [] })
  assert.equal(tally.edits, EDITS)
}

type Done = {
  readonly edit: Edit
  readonly key: string
  readonly name: string
  readonly before: Json | undefined
  readonly after: Json | undefined
  readonly locked: boolean
}

/** Makes one edit that the server takes and that changes something; undefined otherwise. */
async function editOnce(
  session: Session,
  application: Application,
  pass: Pass,
  random: Random,
  n: number,
): Promise<Done | undefined> {
  const wanted = [...(pass.desired?.objects.values() ?? [])].filter((desired) => !desired.support)
  const desired = random.pick(wanted)
  const live = desired === undefined ? undefined : pass.live.get(resourceKey(desired.id))
  if (desired?.kind === undefined || live === undefined) return undefined
  const edit = randomEdit(live.object, desired.object, random, n)
  if (edit === undefined) return undefined
  const { group, namespace, name } = desired.id
  const base = group === '' ? '/api/v1' : `/apis/${group}/${desired.gvk.version}`
  const path = `${base}${namespace === '' ? '' : `/namespaces/${namespace}`}/${desired.kind.resource}/${encodeURIComponent(name)}`
  const cluster = await session.clusterOf(application)
  const patch = {
    method: 'PATCH',
    path: `${path}?fieldManager=${MANAGER}`,
    body: patchText(edit),
    contentType: 'application/json-patch+json',
  } as const
  const answer = await cluster.send(patch, {}).catch(() => undefined)
  if (answer === undefined) return undefined
  const after = parseJson(answer) as KubeObject
  const same = canonicalJson(content(after)) === canonicalJson(content(live.object))
  const steps = stepsIn(edit.path, after)
  return same
    ? undefined
    : {
        edit,
        key: resourceKey(desired.id),
        name: `${edit.what} ${desired.id.kind}/${name} ${edit.path}`,
        before: valueAt(live.object, stepsIn(edit.path, live.object)),
        after: valueAt(after, steps),
        locked: false,
      }
}

function content(object: KubeObject): Json {
  const { status: _, metadata, ...rest } = object
  const { resourceVersion: _1, generation: _2, managedFields: _3, ...kept } = metadata
  return { ...rest, metadata: kept }
}

function stepsIn(pointer: string, object: Json): readonly (string | number)[] {
  let here: Json | undefined = object
  return fromPointer(pointer).map((step) => {
    const own = Array.isArray(here) ? Number(step) : step
    here = valueAt(here, [own])
    return own
  })
}

type Found = { readonly key: string; readonly field: FieldDrift }

function driftOf(pass: Pass): readonly Found[] {
  return pass.snapshot.resources.flatMap((resource) =>
    resource.drift.state === 'synced'
      ? []
      : resource.drift.fields.map((field) => ({ key: resourceKey(resource.id), field })),
  )
}

function judge(pass: Pass, done: Done, corpus: Corpus, tally: Tally): void {
  const all = driftOf(pass)
  const hit = all.find((found) => found.key === done.key && found.field.path === done.edit.path)
  for (const found of all)
    if (found !== hit) tally.wrong.push(`${done.name}: also ${found.key} ${found.field.path} ${found.field.kind}`)
  if (hit === undefined) {
    tally.missed.push(`${done.name}: ${JSON.stringify(done.before)} -> ${JSON.stringify(done.after)}`)
    return
  }
  const manager = hit.field.blame?.manager
  // Who removes a field leaves no trace in managedFields; nobody may be named then.
  const expected = done.after === undefined ? undefined : MANAGER
  if (manager !== expected)
    tally.wrong.push(`${done.name}: blamed ${manager ?? 'nobody'} instead of ${expected ?? 'nobody'}`)
  if (corpus.plain && hit.field.place === undefined) tally.wrong.push(`${done.name}: no place in a file`)
  tally.found++
}
