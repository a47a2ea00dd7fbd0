import test from 'node:test'
import assert from 'node:assert/strict'
import { FieldSet } from '../../../shared/fields/field-set.ts'
import { decodeFieldsV1, encodeFieldsV1 } from '../../../shared/fields/fields-v1.ts'
import { fieldElement, keyElement, pathText, valueElement } from '../../../shared/fields/path.ts'
import type { Path } from '../../../shared/fields/path.ts'
import { random } from './random.ts'
import { thing } from './thing.ts'

const f = fieldElement
const set = (...paths: string[]): FieldSet => FieldSet.of(...paths.map((path) => path.split('.').map(f)))
const text = (one: FieldSet): string[] => one.paths().map(pathText)

test('difference leaves what lies below a member, recursive difference does not', () => {
  const all = set('a', 'a.b', 'a.b.c', 'd')
  assert.deepEqual(text(all.difference(set('a.b'))), ['.a', '.d', '.a.b.c'])
  assert.deepEqual(text(all.recursiveDifference(set('a.b'))), ['.a', '.d'])
})

test('leaves are the members without members below them', () => {
  assert.deepEqual(text(set('a', 'a.b', 'c').leaves()), ['.c', '.a.b'])
})

test('named parents become members, parents that are keys of a map do not', () => {
  const owned = set('spec.labels.x', 'spec.child.text')
  assert.deepEqual(text(owned.withNamedFields(thing)), [
    '.spec',
    '.spec.child',
    '.spec.labels',
    '.spec.child.text',
    '.spec.labels.x',
  ])
  assert.deepEqual(text(set('spec.free.x.y').withNamedFields(thing)), ['.spec', '.spec.free', '.spec.free.x.y'])
})

test('a set covers what lies below its leaves', () => {
  const owned = FieldSet.of([f('spec'), f('selector')], [f('spec'), f('items'), 'k:{"name":"a"}'])
  assert.equal(owned.covers([f('spec'), f('selector'), f('x')]), true)
  assert.equal(owned.covers([f('spec')]), false)
  assert.equal(owned.has([f('spec'), f('selector')]), true)
  assert.equal(owned.has([f('spec')]), false)
  assert.equal(owned.size, 2)
})

function randomSet(next: () => number): FieldSet {
  const names = ['a', 'b', 'c']
  const paths: Path[] = []
  for (let i = 0; i < 6; i++) {
    const path: string[] = []
    for (let depth = 1 + Math.floor(next() * 4); depth > 0; depth--) path.push(f(names[Math.floor(next() * 3)] ?? 'a'))
    paths.push(path)
  }
  return FieldSet.of(...paths)
}

test('the algebra of sets agrees with the algebra of their paths', () => {
  const next = random(7)
  for (let i = 0; i < 300; i++) {
    const [a, b] = [randomSet(next), randomSet(next)]
    const [inA, inB] = [new Set(text(a)), new Set(text(b))]
    const same = (result: FieldSet, keep: (path: string) => boolean): void => {
      assert.deepEqual(new Set(text(result)), new Set([...inA, ...inB].filter(keep)))
    }
    same(a.union(b), () => true)
    same(a.intersection(b), (path) => inA.has(path) && inB.has(path))
    same(a.difference(b), (path) => inA.has(path) && !inB.has(path))
    same(
      a.recursiveDifference(b),
      (path) => inA.has(path) && ![...inB].some((other) => path === other || path.startsWith(`${other}.`)),
    )
    assert.equal(a.union(b).equals(b.union(a)), true)
    assert.equal(a.union(a), a)
    assert.equal(decodeFieldsV1(JSON.parse(JSON.stringify(encodeFieldsV1(a)))).equals(a), true)
  }
})

test('siblings come in the order of the server: fields, keys, values, indexes', () => {
  const mixed = decodeFieldsV1({
    'i:2': {},
    'v:"b"': {},
    'v:10': {},
    'v:9': {},
    'k:{"name":"b"}': {},
    'k:{"name":"a"}': {},
    'f:z': {},
    'f:a': {},
  })
  assert.deepEqual(Object.keys(encodeFieldsV1(mixed)), [
    'f:a',
    'f:z',
    'k:{"name":"a"}',
    'k:{"name":"b"}',
    'v:9',
    'v:10',
    'v:"b"',
    'i:2',
  ])
})

test('FieldsV1 in another spelling reads as the same set', () => {
  const loose = decodeFieldsV1({
    'f:p': { 'k:{ "protocol":"TCP", "port":80}': { '.': {} }, 'x:future': { 'f:y': {} } },
  })
  const strict = FieldSet.of([
    f('p'),
    keyElement([
      { name: 'port', value: 80 },
      { name: 'protocol', value: 'TCP' },
    ]),
  ])
  assert.equal(loose.equals(strict), true)
})

test('a node without children is a member, the dot marks one that has children', () => {
  assert.deepEqual(
    encodeFieldsV1(decodeFieldsV1({ 'f:a': { '.': {} }, 'f:b': { '.': {}, 'f:c': {} }, 'f:d': { 'f:e': {} } })),
    {
      'f:a': {},
      'f:b': { '.': {}, 'f:c': {} },
      'f:d': { 'f:e': {} },
    },
  )
  assert.equal(decodeFieldsV1({}).isEmpty, true)
})

test('a key that is no step is refused', () => {
  assert.throws(() => decodeFieldsV1({ x: {} }), SyntaxError)
  assert.throws(() => decodeFieldsV1({ 'k:{': {} }), SyntaxError)
  assert.throws(() => decodeFieldsV1({ xyz: {} }), SyntaxError)
})

const checkStep = (element: string, spelled: string, printed: string): void => {
  assert.equal(element, spelled)
  assert.equal(pathText([element]), printed)
}

test('steps are spelled and printed as Go does', () => {
  checkStep(valueElement('a<b>&'), 'v:"a\\u003cb\\u003e\\u0026"', '[="a<b>&"]')
  checkStep(valueElement('q"\\b\b'), 'v:"q\\"\\\\b\\u0008"', '[="q\\"\\\\b\\b"]')
  checkStep(valueElement(1.5), 'v:1.5', '[=1.5]')
  checkStep(valueElement(true), 'v:true', '[=true]')
  checkStep(keyElement([{ name: 'a', value: null }]), 'k:{"a":null}', '[a=null]')
  checkStep(fieldElement('a.b/c'), 'f:a.b/c', '.a.b/c')
})
