import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../../shared/model/json.ts'
import { canonicalJson, parseJson } from '../../shared/model/json.ts'
import { YamlReader } from '../../shared/render/yaml/read.ts'
import { missingTools, toolPath } from '../support/tools/find.ts'

const parityFile = fileURLToPath(new URL('../fixtures/render/kubectl-parity.yaml', import.meta.url))

/** `patch --local` with an empty patch prints what kubectl has read, and asks no server. */
function kubectlSpec(args: readonly string[], input = ''): JsonObject {
  const words = ['patch', '--local', '--type=json', '-p', '[]', '-o', 'json', ...args]
  return (parseJson(execFileSync(toolPath('kubectl'), words, { encoding: 'utf8', input })) as { spec: JsonObject }).spec
}

test('real kubectl agrees with every line of the parity file', { skip: missingTools('kubectl') }, () => {
  const theirs = kubectlSpec(['-f', parityFile])
  const [document] = new YamlReader().read(readFileSync(parityFile, 'utf8'), parityFile)
  assert.ok(document !== undefined)
  const ours = (document.value as { spec: JsonObject }).spec
  assert.deepEqual(Object.keys(ours).sort(), Object.keys(theirs).sort())
  for (const [key, value] of Object.entries(ours)) assert.equal(canonicalJson(value), canonicalJson(theirs[key]), key)
})

test('real kubectl agrees with 2000 random plain scalars', { skip: missingTools('kubectl') }, (t) => {
  const seed = 20_261_120
  const scalars = randomScalars(seed, 2000)
  const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nspec:\n  l:\n${scalars.map((each) => `  - ${each}\n`).join('')}`
  const theirs = kubectlSpec(['-f', '-'], text)['l'] as readonly unknown[]
  const [document] = new YamlReader().read(text, 'a.yaml')
  assert.ok(document !== undefined)
  const ours = (document.value as { spec: { l: readonly unknown[] } }).spec.l
  for (const [index, scalar] of scalars.entries()) assert.deepEqual(ours[index], theirs[index], scalar)
  t.diagnostic(`seed ${seed}`)
})

/** Texts of the characters that numbers and words are made of, that YAML takes for plain scalars. */
function randomScalars(seed: number, count: number): readonly string[] {
  let state = seed
  const next = (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % bound
  }
  const heads = ['0', '1', '7', '9', '+1', '-1', '-0', '.', '0x', '0b', '0o', 'y', 'n', 'tr', '1_', '+.', '12', '08']
  const tails = ['0', '1', '7', '9', '_', '.', 'e', 'E+', 'e-', 'x', 'b', 'o', 'f', ':', 'u', 'es', '123456789012345']
  return Array.from({ length: count }, () => {
    let text = heads[next(heads.length)] ?? ''
    for (let length = next(5); length > 0; length -= 1) text += tails[next(tails.length)] ?? ''
    return text.endsWith(':') ? `${text}1` : text
  })
}
