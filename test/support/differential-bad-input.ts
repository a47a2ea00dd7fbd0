import type { Subject } from './differential-values.ts'
import { pickFrom } from './differential-random.ts'
import type { Step } from './differential-step.ts'
import type { Random } from './random.ts'

/** A request that no client in its right mind sends. */
export function badRequest(random: Random, { sample, path, name }: Subject): Step {
  const { collection, apiVersion, kind } = sample
  const head = `"apiVersion":"${apiVersion}","kind":"${kind}"`
  const raws: readonly string[] = [
    '',
    '{',
    '{"a":}',
    'null',
    '[]',
    '"text"',
    '5',
    'true',
    'not: [json',
    `{${head}}`,
    `{${head},"metadata":{"name":"${name}"}`,
    `{${head},"metadata":{"name":"${name}","name":"again"}}`,
    `{${head},"metadata":{"name":5}}`,
    `{${head},"metadata":[]}`,
    `{${head},"metadata":null}`,
    `{${head},"metadata":{"name":"p1","labels":{"__proto__":"x"}}}`,
    `{${head},"metadata":{"name":"p2","annotations":{"__proto__":"x","constructor":"y","toString":"z"}}}`,
    `{${head},"__proto__":{"polluted":true},"metadata":{"name":"p3"}}`,
    `{${head},"metadata":{"name":"p4","__proto__":{"polluted":"yes"}}}`,
    `{${head},"constructor":{"prototype":{"polluted":1}},"metadata":{"name":"p5"}}`,
    `{${head},"metadata":{"name":"${'n'.repeat(300)}"}}`,
    `{${head},"metadata":{"name":"a/b"}}`,
    `{${head},"metadata":{"name":".."}}`,
    `{${head},"metadata":{"name":"u\\u0000x"}}`,
    `{${head},"metadata":{"name":"ok"},"metadata":{"name":"dup"}}`,
    `${'['.repeat(12_000)}${']'.repeat(12_000)}`,
    `${'{"a":'.repeat(11_000)}1${'}'.repeat(11_000)}`,
    head,
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: yaml-one\n`,
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: [}\n`,
  ]
  const types = [
    'application/json',
    'application/yaml',
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=utf-8',
    'odd',
    '',
  ]
  const patchTypes = [
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
    'application/apply-patch+yaml',
    'application/json',
    'application/apply-patch+cbor',
    'text/plain',
  ]
  const paths = [
    `${path}/odd`,
    `${path}/status/more`,
    `${collection}x`,
    collection.replace('/v1/', '/v9/'),
    '/apis/odd.example.com/v1/things',
    '/apis/apps/v1/odd',
    '/api/v2/pods',
    '/api/v1/namespaces/{{ns}}',
    '/odd',
    '/apis/',
    '/api/v1/namespaces//pods',
    `${collection}/..%2f..%2fsecrets`,
    `${collection}/%00`,
    `${collection}/Bad_Name`,
    `${collection}/__proto__`,
    `${collection}/constructor`,
    '/api/v1/namespaces/__proto__/configmaps',
    '/apis/__proto__/v1/x',
    '/api/v1/__proto__',
    '/healthz',
    '/livez/ping',
    `${collection}/`,
  ]
  const kinds: readonly (() => Step)[] = [
    () => ({ method: 'POST', path: collection, raw: pickFrom(random, raws), type: pickFrom(random, types) }),
    () => ({
      method: 'POST',
      path: `${collection}?fieldValidation=${pickFrom(random, ['Strict', 'Warn'])}`,
      raw: pickFrom(random, raws),
    }),
    () => ({ method: 'PUT', path, raw: pickFrom(random, raws), type: pickFrom(random, types) }),
    () => ({
      method: 'PATCH',
      path: `${path}?fieldManager=m1`,
      raw: pickFrom(random, raws),
      type: pickFrom(random, patchTypes),
    }),
    () => ({
      method: 'PATCH',
      path: `${path}?fieldManager=${pickFrom(random, ['', 'x'.repeat(129), '%00', 'a%0Ab'])}`,
      raw: `{${head}}`,
      type: 'application/apply-patch+yaml',
    }),
    () => ({ method: 'DELETE', path, raw: pickFrom(random, raws), type: pickFrom(random, types) }),
    () => ({
      method: pickFrom(random, ['POST', 'PUT', 'PATCH', 'DELETE', 'GET']),
      path: pickFrom(random, paths),
      body: {},
    }),
    () => ({
      method: pickFrom(random, ['POST', 'PUT', 'PATCH']),
      path: pickFrom(random, [path, collection]),
      body: {},
    }),
    () => ({
      method: pickFrom(random, ['OPTIONS', 'TRACE', 'BREW', 'HEAD']),
      path: pickFrom(random, [path, collection, ...paths]),
    }),
    () => ({ method: 'GET', path: pickFrom(random, paths) }),
  ]
  return pickFrom(random, kinds)()
}
