import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { Health } from '../../../shared/model/health.ts'
import type { KubeObject } from '../../../shared/model/kubernetes.ts'
import { healthScripts } from '../../../shared/session/health-scripts.ts'
import { LuaHealth } from '../../../shared/session/lua-health.ts'

const certificate: KubeObject = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: { name: 'web', generation: 1 },
  spec: { secret: null },
  status: { conditions: [{ type: 'Ready', status: 'False', message: 'no issuer' }] },
}
const CERTIFICATE = 'resource.customizations.health.cert-manager.io_Certificate'

async function judge(
  t: TestContext,
  settings: Readonly<Record<string, string>>,
  object = certificate,
): Promise<Health | undefined> {
  const lua = await LuaHealth.start(healthScripts(settings))
  t.after(() => lua.dispose())
  return lua.healthOf(object)
}

test('a script judges by the object that it is given', async (t) => {
  const script = `
    hs = { status = "Progressing", message = "waiting" }
    for _, condition in ipairs(obj.status.conditions) do
      if condition.type == "Ready" and condition.status == "False" then
        hs.status = "Degraded"
        hs.message = condition.message
      end
    end
    return hs`
  assert.deepEqual(await judge(t, { [CERTIFICATE]: script }), { status: 'Degraded', message: 'no issuer' })
})

const texts: readonly (readonly [what: string, script: string, said: Health])[] = [
  ['without a status', 'return {}', { status: 'Unknown', message: 'its health script gave no status' }],
  [
    'with a word of its own',
    'return { status = "Fine" }',
    { status: 'Unknown', message: 'its health script gave no status' },
  ],
  [
    'that sees null as nothing',
    'return { status = obj.spec.secret == nil and "Healthy" or "Degraded" }',
    { status: 'Healthy' },
  ],
  [
    'that finds no way out',
    'return { status = (io or load or dofile or require or os.execute or os.getenv) and "Degraded" or "Healthy" }',
    { status: 'Healthy' },
  ],
]

for (const [what, script, said] of texts) {
  test(`a script ${what} says ${said.status}`, async (t) =>
    assert.deepEqual(await judge(t, { [CERTIFICATE]: script }), said))
}

for (const [what, script] of [
  ['never ends', 'while true do end'],
  ['takes all memory', 'local all = {} for i = 1, 1e12 do all[i] = i end'],
  ['is no Lua', 'return return'],
] as const) {
  test(`a script that ${what} is stopped, and the next one runs`, async (t) => {
    const lua = await LuaHealth.start(
      healthScripts({
        [CERTIFICATE]: script,
        'resource.customizations.health.ConfigMap': 'return { status = "Healthy" }',
      }),
    )
    t.after(() => lua.dispose())
    assert.match(lua.healthOf(certificate)?.message ?? '', /its health script failed/)
    const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
    assert.deepEqual(lua.healthOf(other), { status: 'Healthy' })
  })
}

test('libraries are there only where they are asked for', async (t) => {
  const script = 'return { status = string.upper("h") == "H" and "Healthy" or "Degraded" }'
  assert.equal((await judge(t, { [CERTIFICATE]: script }))?.status, 'Unknown')
  const open = { 'resource.customizations.useOpenLibs.cert-manager.io_Certificate': 'true' }
  assert.equal((await judge(t, { [CERTIFICATE]: script, ...open }))?.status, 'Healthy')
})

test('wildcards stand in one YAML text; a kind that is named comes first; other kinds have no script', async (t) => {
  const wild = {
    'resource.customizations': 'cert-manager.io/*:\n  health.lua: |\n    return { status = "Suspended" }\n',
  }
  assert.equal((await judge(t, wild))?.status, 'Suspended')
  assert.equal((await judge(t, { ...wild, [CERTIFICATE]: 'return { status = "Healthy" }' }))?.status, 'Healthy')
  assert.equal(await judge(t, wild, { ...certificate, apiVersion: 'other.io/v1' }), undefined)
})
