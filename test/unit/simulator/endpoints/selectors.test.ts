import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLabelSelector } from '../../../../shared/simulator/endpoints/label-selector.ts'
import { StatusError } from '../../../../shared/simulator/errors.ts'

const labels = { app: 'web', tier: 'front', size: '10', 'example.com/x': '' }

function check(selector: string, expected: boolean): void {
  test(`${selector || 'no selector'} ${expected ? 'matches' : 'does not match'}`, () => {
    assert.equal(parseLabelSelector(selector)?.(labels) ?? true, expected)
  })
}

check('', true)
check('app', true)
check('!app', false)
check('nope', false)
check('!nope', true)
check('app=web', true)
check('app==web', true)
check('app = web , tier != back', true)
check('nope!=x', true)
check('app in (web, api)', true)
check('app in (api)', false)
check('app notin (api),tier', true)
check('nope notin (a)', true)
check('size>9', true)
check('size<9', false)
check('app>1', false)
check('example.com/x=', true)
check('example.com/x', true)
check('app in (web,)', true)
check('in in (a)', false)

function refused(selector: string, message: string): void {
  test(`${selector} is refused as apimachinery refuses it`, () => {
    assert.throws(
      () => parseLabelSelector(selector),
      (error) => StatusError.is(error) && error.code === 400 && error.message === message,
    )
  })
}

refused('a in (', "unable to parse requirement: found '', expected: ',', ')' or identifier")
refused('a===b', "unable to parse requirement: found '=', expected: identifier")
refused(',', "found ',', expected: !, identifier, or 'end of string'")
refused('a foo b', "unable to parse requirement: found 'foo', expected: in, notin, =, ==, !=, gt, lt")
refused(
  'a>b',
  `unable to parse requirement: values[0]: Invalid value: "b": for 'Gt', 'Lt' operators, the value must be an integer`,
)
