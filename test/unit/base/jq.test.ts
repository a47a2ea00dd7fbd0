import assert from 'node:assert/strict'
import test from 'node:test'
import { Jq, JqError } from '../../../shared/base/jq.ts'

const deployment = {
  spec: {
    template: {
      spec: {
        containers: [
          { name: 'a', image: 'x' },
          { name: 'b', image: 'y' },
        ],
      },
    },
  },
}

test('an expression selects paths, as jq itself has them', async (t) => {
  const jq = new Jq()
  t.after(() => jq.dispose())
  const expression = '.spec.template.spec.containers[] | select(.name == "b") | .image'
  assert.deepEqual(await jq.paths(expression, deployment), [['spec', 'template', 'spec', 'containers', 1, 'image']])
})

test('a broken expression is an error with the words of jq', async (t) => {
  const jq = new Jq()
  t.after(() => jq.dispose())
  await assert.rejects(
    jq.paths('.spec[', deployment),
    (error) => JqError.is(error) && /syntax error/.test(error.message),
  )
})

test('an expression that never ends is ended, and the next one is answered', async (t) => {
  const jq = new Jq()
  t.after(() => jq.dispose())
  await assert.rejects(
    jq.paths('last(repeat(.))', deployment),
    (error) => JqError.is(error) && error.reason === 'too-slow',
  )
  assert.deepEqual(await jq.paths('.spec', deployment), [['spec']])
})
