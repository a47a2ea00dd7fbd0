import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { assertRefused } from '../support/line-assert.ts'
import { applicationFile, configMap, workspace, type Workspace } from '../support/line-workspace.ts'
import { gitIsMissing } from '../support/scaffold-repository.ts'
import { missingTools, toolPath, type ToolName } from '../support/tools/find.ts'

const FILES: Readonly<Record<string, string>> = {
  'apps/kust.yaml': applicationFile({ name: 'kust' }),
  'kust/kustomization.yaml': 'resources: [a.yaml]\npatches:\n  - path: patch.yaml\n',
  'kust/a.yaml': configMap('a'),
  'kust/patch.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: other\n',
  'apps/chart.yaml': applicationFile({ name: 'chart' }),
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 0.1.0\n',
  'chart/templates/a.yaml': '{{ fail "the chart says no" }}\n',
}

/** A folder for PATH that holds these tools and nothing else. */
async function pathWith(
  line: Workspace,
  tools: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const folder = line.scaffold.beside('bin')
  await mkdir(folder, { recursive: true })
  for (const [name, target] of Object.entries(tools)) await symlink(target, path.join(folder, name))
  return { PATH: folder }
}

async function begin(t: TestContext): Promise<Workspace | undefined> {
  const skip = await gitIsMissing()
  if (skip === undefined) return workspace(t, FILES)
  t.skip(skip)
  return undefined
}

test('without kustomize or helm the person is told what to install and what to set', async (t) => {
  const line = await begin(t)
  if (line === undefined) return
  const env = await pathWith(line, {})
  assertRefused(await line.run(['app', 'sync', 'kust'], { env }), {
    says: /^error: kustomize is not installed, and neither is kubectl, .* plumbline\.tools\.kustomize$/,
    next: 'plumbline doctor',
  })
  assertRefused(await line.run(['app', 'sync', 'chart'], { env }), {
    says: /^error: helm is not installed; install it \(https:\/\/helm\.sh.*\), or set .* plumbline\.tools\.helm$/,
    next: 'plumbline doctor',
  })
})

for (const [tool, application, says] of [
  ['kustomize', 'kust', /^error: kust.*no matches for Id ConfigMap.*other/],
  ['helm', 'chart', /^error: .*the chart says no/],
] as const satisfies readonly (readonly [ToolName, string, RegExp])[]) {
  test(`what ${tool} says when it fails is told in its own words`, async (t) => {
    const missing = missingTools(tool)
    if (missing !== false) return t.skip(missing)
    const line = await begin(t)
    if (line === undefined) return
    const env = await pathWith(line, { [tool]: toolPath(tool) })
    assertRefused(await line.run(['app', 'sync', application], { env }), { says })
  })
}

test('a tool that is killed, or says nothing and fails, is named', async (t) => {
  const line = await begin(t)
  if (line === undefined) return
  const folder = line.scaffold.beside('broken-bin')
  await mkdir(folder)
  await writeFile(path.join(folder, 'kustomize'), '#!/bin/sh\nexit 3\n')
  await chmod(path.join(folder, 'kustomize'), 0o755)
  assertRefused(await line.run(['app', 'sync', 'kust'], { env: { PATH: folder } }), { says: /^error: .*kustomize/ })
})
