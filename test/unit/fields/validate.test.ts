import test from 'node:test'
import assert from 'node:assert/strict'
import { TypedError } from '../../../shared/fields/typed-error.ts'
import { validateTyped } from '../../../shared/fields/validate.ts'
import { thing, thingOf } from './thing.ts'

function check(spec: Record<string, unknown>, message: string | undefined, allowDuplicates = false): void {
  let found: string | undefined
  try {
    validateTyped(thingOf(spec), thing, { allowDuplicates })
  } catch (error) {
    assert.ok(TypedError.is(error))
    found = error.message
  }
  assert.equal(found, message)
}

test('what fits its type passes', () => {
  check(
    { text: 'x', count: 1.5, cpu: 1, port: '80%', free: { a: [{}] }, tags: ['a'], child: { child: null }, items: null },
    undefined,
  )
})

test('what does not fit is named in the words of the server', () => {
  check({ count: 'three' }, '.spec.count: expected numeric (int or float), got string')
  check({ text: 5 }, '.spec.text: expected string, got &value.valueUnstructured{Value:5}')
  check(
    { text: { b: [1, null], a: 'x' } },
    '.spec.text: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":"x", "b":[]interface {}{1, interface {}(nil)}}}',
  )
  check({ flag: 'yes' }, '.spec.flag: expected boolean, got &{yes}')
  check({ cpu: [] }, '.spec.cpu: expected any scalar, got &{[]}')
  check({ tags: 'a' }, '.spec.tags: expected list, got &{a}')
  check({ labels: [1] }, '.spec.labels: expected map, got &{[1]}')
  check({ bogus: 1 }, '.spec.bogus: field not declared in schema')
})

test('items must be named and named once', () => {
  check({ items: [{ name: 'a' }, { name: 'a' }] }, '.spec.items: duplicate entries for key [name="a"]')
  check({ items: [{ name: 'a' }, { name: 'a' }] }, undefined, true)
  check({ tags: ['x', 'x'] }, '.spec.tags: duplicate entries for key [="x"]')
  check(
    { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] },
    '.spec.ports: duplicate entries for key [port=1,protocol="TCP"]',
  )
  check(
    { items: [{ value: 'x' }] },
    '.spec.items: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
  )
  check({ items: ['a'] }, '.spec.items: element 0: associative list with keys may not have non-map elements')
  check({ items: [null] }, '.spec.items: element 0: associative list with keys may not have a null element')
  check({ tags: [{}] }, ".spec.tags: element 0: associative list without keys has an element that's a map type")
  check({ tags: [null] }, ".spec.tags: element 0: associative list without keys has an element that's an explicit null")
  check({ tags: [[]] }, '.spec.tags: element 0: not supported: associative list with lists as elements')
})

test('several issues are listed', () => {
  check(
    { count: 'x', items: [{ name: 'a', value: 1 }] },
    [
      'errors:',
      '  .spec.count: expected numeric (int or float), got string',
      '  .spec.items[name="a"].value: expected string, got &value.valueUnstructured{Value:1}',
    ].join('\n'),
  )
})
