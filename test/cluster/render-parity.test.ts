import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Json, JsonObject } from '../../shared/model/json.ts'
import { canonicalJson, parseJson } from '../../shared/model/json.ts'
import { RenderError } from '../../shared/render/errors.ts'
import { YamlReader } from '../../shared/render/yaml/read.ts'
import { deployment } from '../support/kustomize-sample.ts'
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

test('real kubectl agrees with 60 documents that were damaged at random', { skip: missingTools('kubectl') }, (t) => {
  let [seed, agreed, refused] = [20_261_121, 0, 0]
  const next = (bound: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed % bound
  }
  for (let round = 0; round < 60; round += 1) {
    const whole = deployment('web')
    const at = next(whole.length)
    const text = whole.slice(0, at) + (damages[next(damages.length)] ?? '') + whole.slice(at + next(2))
    const theirs = kubectlObject(text)
    const ours = ourObject(text)
    // What they refuse, a missing kind for example, is refused by us later.
    if (theirs === undefined) refused += 1
    // We refuse keys that are written twice; they take the last one.
    else if (ours !== 'duplicate-key') {
      assert.equal(ours, canonicalJson(theirs), text)
      agreed += 1
    }
  }
  t.diagnostic(`${agreed} read alike, ${refused} refused by kubectl`)
})

const damages = [
  ' ',
  '  ',
  '\n',
  ':',
  ': ',
  '- ',
  '#',
  ' #',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  ',',
  '!',
  '|',
  '>',
  '0',
  '~',
  'é',
  '|-\n',
]

function kubectlObject(text: string): Json | undefined {
  const words = ['patch', '--local', '--type=json', '-p', '[]', '-o', 'json', '-f', '-']
  const done = spawnSync(toolPath('kubectl'), words, { encoding: 'utf8', input: text })
  return done.status === 0 ? parseJson(done.stdout) : undefined
}

function ourObject(text: string): string {
  try {
    const [document] = new YamlReader().read(text, 'a.yaml')
    return canonicalJson(document?.value)
  } catch (error) {
    return RenderError.is(error) ? error.reason : String(error)
  }
}
