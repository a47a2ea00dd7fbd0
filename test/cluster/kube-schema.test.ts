import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogueOf } from '../../shared/fields/openapi-schema.ts'
import type { Schema } from '../../shared/fields/schema.ts'
import { builtInCatalogue } from '../../shared/kubernetes/built-in.ts'
import { startControlPlane } from '../support/control-plane.ts'
import { missingTools } from '../support/tools/find.ts'
import { connected } from './kube-scaffold.ts'

const skip = missingTools('etcd', 'kube-apiserver')

test('the built-in types are those that the server itself publishes', { skip }, async (t) => {
  const plane = await startControlPlane()
  t.after(() => plane.stop())
  const cluster = await connected(t, plane)
  const index = JSON.parse(await cluster.raw('/openapi/v3', {})) as {
    paths: Record<string, { serverRelativeURL: string }>
  }
  let compared = 0
  for (const [name, { serverRelativeURL }] of Object.entries(index.paths)) {
    const groupVersion = /^(?:api|apis\/([^/]+))\/(v[^/]+)$/.exec(name)
    if (groupVersion === null) continue
    const [, group = '', version = ''] = groupVersion
    const document = JSON.parse(await cluster.raw(serverRelativeURL, {})) as { components?: { schemas?: object } }
    const own = catalogueOf({ ...document.components?.schemas })
    const { apiVersions } = await cluster.describe({})
    const prefix = `${group === '' ? '' : `${group}/`}${version}/`
    for (const kind of apiVersions.filter((text) => text.startsWith(prefix)).map((text) => text.slice(prefix.length))) {
      const builtIn = builtInCatalogue().schemaFor(group, version, kind)
      const published = own.schemaFor(group, version, kind)
      if (builtIn === undefined || published === undefined) continue
      assert.deepEqual(shape(builtIn), shape(published), `${prefix}${kind}`)
      compared += 1
    }
  }
  assert.ok(compared > 60, `${compared} kinds compared`)
})

/** What decides about merging: relationships, keys and fields, to where a type comes again. */
function shape(schema: Schema, above: readonly Schema[] = []): unknown {
  if (above.includes(schema)) return 'again'
  const here = [...above, schema]
  const { list, map } = schema
  return {
    scalar: schema.scalar,
    list: list && { relationship: list.relationship, keys: list.keys, element: shape(list.element, here) },
    map: map && {
      relationship: map.relationship,
      element: map.element && shape(map.element, here),
      fields: Object.fromEntries([...map.fields].map(([name, field]) => [name, shape(field.schema, here)])),
    },
  }
}
