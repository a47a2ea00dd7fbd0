// What other projects keep in Git, object by object: the embedded server makes of each what kube-apiserver makes of it.
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { isObject, type JsonObject } from '../../shared/model/json.ts'
import { YamlReader } from '../../shared/render/yaml/read.ts'
import discovery from '../../shared/kubernetes/discovery-v1.36.json' with { type: 'json' }
import { startServer } from '../../shared/simulator/server.ts'
import { startControlPlane } from '../support/control-plane.ts'
import { corporaFolder, corporaMissing } from '../support/corpora.ts'
import { converse } from '../support/differential-conversation.ts'
import { setUp } from '../support/differential-setup.ts'
import type { Json, Step } from '../support/differential-step.ts'
import { DifferentialTarget } from '../support/differential-target.ts'
import { missingTools } from '../support/tools/find.ts'

interface Resource {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
}

function collections(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const documents: Readonly<Record<string, object>> = discovery
  for (const document of Object.values(documents)) {
    const { groupVersion, resources } = document as { groupVersion?: string; resources?: readonly Resource[] }
    if (groupVersion === undefined) continue
    for (const { name, kind, namespaced } of resources ?? []) {
      if (name.includes('/')) continue
      const root = groupVersion.includes('/') ? '/apis' : '/api'
      const home = namespaced ? '/namespaces/{{ns}}' : ''
      found.set(`${JSON.stringify(groupVersion)} ${JSON.stringify(kind)}`, `${root}/${groupVersion}${home}/${name}`)
    }
  }
  return found
}

/** A create and an apply of every object of a built-in kind, both dry. */
function steps(): readonly Step[] {
  const known = collections()
  const files = readdirSync(corporaFolder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.ya?ml$/u.test(file),
  )
  return files.sort().flatMap((file) =>
    objectsIn(path.join(corporaFolder, file)).flatMap((object): Step[] => {
      const { apiVersion, kind, metadata } = object
      const collection = known.get(`${JSON.stringify(apiVersion)} ${JSON.stringify(kind)}`)
      if (collection === undefined || !isObject(metadata)) return []
      const { name } = metadata
      // A generated name is another one on every server.
      if (typeof name !== 'string') return []
      const { namespace: _, ...rest } = metadata
      const body = { ...object, metadata: rest } as unknown as Json
      const one = `${collection}/${name}?dryRun=All&fieldManager=m&force=true`
      return [
        { method: 'POST', path: `${collection}?dryRun=All&fieldValidation=Strict`, body },
        { method: 'PATCH', path: one, type: 'application/apply-patch+yaml', body },
      ]
    }),
  )
}

/** Files of charts and of other tools are no plain YAML. */
function objectsIn(file: string): readonly JsonObject[] {
  try {
    return new YamlReader()
      .read(readFileSync(file, 'utf8'), file)
      .flatMap(({ value }) => (isObject(value) ? [value] : []))
  } catch {
    return []
  }
}

test(
  'objects of other projects become what kube-apiserver makes of them',
  { skip: corporaMissing ?? missingTools('etcd', 'kube-apiserver') },
  async (t) => {
    const plane = await startControlPlane()
    t.after(() => plane.stop())
    const server = await startServer({ controllers: false })
    t.after(() => server.close())
    const pair = { real: new DifferentialTarget(plane), ours: new DifferentialTarget(server) }
    t.after(() => Promise.all([pair.real.close(), pair.ours.close()]))
    await setUp(pair.real)
    await setUp(pair.ours)
    const talk = steps()
    assert.ok(talk.length > 200, `${talk.length} requests`)
    const told = (await converse(pair, talk)).map(
      ({ index, difference }) =>
        `${talk[index]?.method} ${talk[index]?.path}\n  ${[...difference.body, ...difference.messages].join('\n  ')}`,
    )
    assert.equal(told.join('\n'), '', `${told.length} of ${talk.length} differ`)
  },
)
