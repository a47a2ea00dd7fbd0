import test from 'node:test'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { builtInCatalogue } from '../../../../shared/kubernetes/built-in.ts'
import { StatusError } from '../../../../shared/simulator/errors.ts'
import type { JsonObject } from '../../../../shared/simulator/object.ts'
import { applyJsonPatch } from '../../../../shared/simulator/patch/json-patch.ts'
import { applyMergePatch } from '../../../../shared/simulator/patch/merge-patch.ts'
import { applyStrategicMergePatch } from '../../../../shared/simulator/patch/strategic-merge.ts'

interface Recorded {
  readonly document: JsonObject
  readonly patch: unknown
  readonly result?: JsonObject
  /** A message, or true where the server does not tell it. */
  readonly error?: string | true
}

function recorded(name: string): Recorded[] {
  return JSON.parse(readFileSync(new URL(`./fixtures/${name}-recorded.json`, import.meta.url), 'utf8')) as Recorded[]
}

function check(name: string, apply: (document: JsonObject, patch: unknown) => unknown): void {
  for (const one of recorded(name)) {
    const before = JSON.stringify(one)
    const run = (): unknown => apply(one.document, one.patch)
    if (one.error === undefined) assert.deepEqual(run(), one.result, before)
    else assert.throws(run, (error: unknown) => StatusError.is(error) && sameMessage(error, one.error), before)
    assert.equal(JSON.stringify(one), before, 'the document or the patch was changed')
  }
}

/** A 422 hides what went wrong. */
function sameMessage(error: StatusError, expected: string | true | undefined): boolean {
  return expected === true || error.code === 422 || error.message === expected
}

test("random JSON patches give what the server's library gives", () => {
  check('json-patches', applyJsonPatch)
})

test("random merge patches give what the server's library gives", () => {
  check('merge-patches', applyMergePatch)
})

test("random strategic patches of a Deployment give what the server's library gives", () => {
  const schema = builtInCatalogue().schemaFor('apps', 'v1', 'Deployment')
  assert.ok(schema)
  check('strategic-patches', (document, patch) => applyStrategicMergePatch(document, patch, schema))
})
