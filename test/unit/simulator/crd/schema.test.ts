import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ruleErrors } from '../../../../shared/simulator/crd/cel-rules.ts'
import { withDefaults } from '../../../../shared/simulator/crd/default-values.ts'
import { pruned } from '../../../../shared/simulator/crd/prune.ts'
import { structuralOf } from '../../../../shared/simulator/crd/structural.ts'
import { validateValue } from '../../../../shared/simulator/crd/validate.ts'
import { errorText } from '../../../../shared/simulator/kinds/field-error.ts'

function schema(properties: object, more: object = {}): ReturnType<typeof structuralOf> {
  return structuralOf({ type: 'object', properties, ...more })
}

test('defaults fill what is absent, deep, and replace a null that is not allowed', () => {
  const given = schema({
    a: { type: 'string', default: 'x' },
    b: { type: 'object', default: {}, properties: { c: { type: 'integer', default: 1 } } },
    n: { type: 'string', nullable: true, default: 'y' },
    l: { type: 'array', items: { type: 'object', properties: { p: { type: 'string', default: 'TCP' } } } },
  })
  const value = { a: null, n: null, l: [{}, { p: 'UDP' }] }
  assert.deepEqual(withDefaults(value, given), { a: 'x', b: { c: 1 }, n: null, l: [{ p: 'TCP' }, { p: 'UDP' }] })
  assert.deepEqual(value, { a: null, n: null, l: [{}, { p: 'UDP' }] }, 'the input is left alone')
})

test('a value that already has its defaults is not copied', () => {
  const given = schema({ a: { type: 'string', default: 'x' } })
  const value = { a: 'y' }
  assert.equal(withDefaults(value, given), value)
})

test('unknown fields go, but for where they are kept', () => {
  const given = schema({
    known: { type: 'object', properties: { a: { type: 'string' } } },
    free: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { b: { type: 'object', properties: {} } },
    },
    map: { type: 'object', additionalProperties: { type: 'object', properties: { c: { type: 'string' } } } },
  })
  const unknown: string[] = []
  const value = { known: { a: '1', z: 1 }, free: { any: 1, b: { z: 1 } }, map: { k: { c: '1', z: 1 } }, z: 1 }
  assert.deepEqual(pruned(value, given, unknown), {
    known: { a: '1' },
    free: { any: 1, b: {} },
    map: { k: { c: '1' } },
  })
  assert.deepEqual(unknown.sort(), ['free.b.z', 'known.z', 'map.k.z', 'z'])
})

test('what did not change is not refused again', () => {
  const given = schema({ a: { type: 'string', maxLength: 1 }, b: { type: 'string', maxLength: 1 } })
  const before = { a: 'long', b: 'x' }
  assert.deepEqual(validateValue({ a: 'long', b: 'y' }, given, '', before), [])
  assert.equal(validateValue({ a: 'longer', b: 'y' }, given, '', before).length, 1)
})

test('a pattern that would take a backtracking engine for ever is answered at once', () => {
  const given = schema({ a: { type: 'string', pattern: '^(a+)+$' } })
  const start = performance.now()
  assert.equal(validateValue({ a: `${'a'.repeat(5_000)}!` }, given).length, 1)
  assert.ok(performance.now() - start < 1_000)
})

function rule(name: string, text: string, spec: object, expected: readonly string[], before?: object): void {
  test(`rule: ${name}`, () => {
    const properties = {
      n: { type: 'integer' },
      f: { type: 'number' },
      s: { type: 'string' },
      when: { type: 'string', format: 'date-time' },
      d: { type: 'string', format: 'duration' },
      'x-y': { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      m: { type: 'object', additionalProperties: { type: 'string' } },
      q: { 'x-kubernetes-int-or-string': true },
    }
    const given = schema({ spec: { type: 'object', properties, 'x-kubernetes-validations': [{ rule: text }] } })
    const errors = ruleErrors({ spec }, given, ...(before === undefined ? [] : [{ spec: before }]))
    assert.deepEqual(errors.map(errorText), expected)
  })
}

const failed = (text: string): string[] => [`spec: Invalid value: failed rule: ${text}`]

rule('whole numbers are integers', 'self.n > 1 && self.n + 1 == 3', { n: 2 }, [])
rule('numbers are doubles', 'self.f > 1.0', { f: 2 }, [])
rule('numbers of both kinds compare', 'self.n < 2.5', { n: 2 }, [])
rule('an absent field is seen as absent', '!has(self.n)', {}, [])
rule('a rule that does not hold', 'self.n > 5', { n: 2 }, failed('self.n > 5'))
rule('names are escaped', 'self.x__dash__y == "a"', { 'x-y': 'a' }, [])
rule('times are times', 'self.when < timestamp("2026-01-02T00:00:00Z")', { when: '2026-01-01T00:00:00Z' }, [])
rule('durations are durations', 'self.d <= duration("1h")', { d: '30m' }, [])
rule('lists', 'self.tags.all(t, t.startsWith("a")) && self.tags.isSorted()', { tags: ['a', 'ab'] }, [])
rule('maps', '"k" in self.m && self.m.all(k, k.size() == 1)', { m: { k: 'v' } }, [])
rule('optional fields', 'self.?s.orValue("none") == "none"', {}, [])
rule('int or string', 'type(self.q) == int ? self.q < 100 : self.q.matches("^[0-9]+%$")', { q: '50%' }, [])
rule('quantities', 'quantity(self.s).isLessThan(quantity("1Gi"))', { s: '500Mi' }, [])
rule('addresses', 'isURL(self.s) && url(self.s).getHost() == "example.com"', { s: 'https://example.com/x' }, [])
rule('text', 'self.s.replace("a", "b") == "bbb" && "%s-%d".format([self.s, 1]) == "aba-1"', { s: 'aba' }, [])
rule('a transition rule is not asked of a new object', 'self.s == oldSelf.s', { s: 'a' }, [])
rule('a transition rule compares', 'self.s == oldSelf.s', { s: 'a' }, failed('self.s == oldSelf.s'), { s: 'b' })
rule('an unchanged part is not asked again', 'self.n > 5', { n: 2 }, [], { n: 2 })
rule(
  'a hostile pattern in a rule',
  'self.s.matches("^(a+)+$")',
  { s: `${'a'.repeat(5_000)}!` },
  failed('self.s.matches("^(a+)+$")'),
)
