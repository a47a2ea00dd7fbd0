import assert from 'node:assert/strict'
import { copyFile } from 'node:fs/promises'
import test, { type TestContext } from 'node:test'
import { stringifyJson, type JsonObject } from '../../shared/model/json.ts'
import { plumbline } from '../support/line-cli.ts'
import { openLine, type Line } from '../support/line-session.ts'
import { kubectl } from '../support/kubectl.ts'
import { Random } from '../support/random.ts'
import { gitIsMissing } from '../support/scaffold-repository.ts'
import { testServers, type StartedServer } from '../support/test-servers.ts'
import { missingTools } from '../support/tools/find.ts'

const NAME = 'vault'
const PATH = `/api/v1/namespaces/${NAME}/secrets`

/** Makes values that occur nowhere else, and remembers each in every form in which it could be told. */
class Values {
  readonly forms: string[] = []
  readonly #random: Random

  constructor(seed: number) {
    this.#random = new Random(seed)
  }

  text(): string {
    const alphabet = 'ABCDEFGHKLMNPQRSTUVWXYZabcdefghkmnpqrstuvwxyz'
    const noise = Array.from({ length: 12 }, () => alphabet[this.#random.below(alphabet.length)]).join('')
    const value = this.#random.pick([noise, `${noise}: x`, `a"${noise}"b`, `${noise}\nInvalid value: ${noise}: no`])
    this.forms.push(noise, Buffer.from(value).toString('base64').slice(0, 12))
    return value
  }

  encoded(): string {
    return Buffer.from(this.text()).toString('base64')
  }

  number(): number {
    const value = 100_000_000 + this.#random.below(899_999_999)
    this.forms.push(String(value))
    return value
  }

  /** Fails when any of the values is in the text. */
  notIn(text: string, where: string): void {
    const found = this.forms.filter((form) => text.includes(form))
    assert.deepEqual(found, [], `${where} tells a Secret's value: ${text.slice(0, 2000)}`)
  }
}

function secret(name: string, rest: JsonObject): string {
  return stringifyJson({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: NAME }, ...rest })
}

/** Secrets that the server takes. */
function goodFiles(values: Values): Record<string, string> {
  return {
    'plain.yaml': secret('plain', { data: { a: values.encoded(), b: values.encoded() } }),
    'texts.yaml': secret('texts', {
      stringData: { a: values.text(), b: values.text() },
      data: { a: values.encoded() },
    }),
    'annotated.yaml': secret('annotated', { stringData: { a: values.text() } }),
  }
}

/** Secrets that the server refuses, each with a message of its own that may quote what it refuses. */
const BAD: readonly ((values: Values) => JsonObject)[] = [
  (values) => ({ data: { a: `${values.encoded()}!` } }),
  (values) => ({ data: { a: values.number() } }),
  (values) => ({ stringData: { a: values.number() } }),
  (values) => ({ data: { 'not a key!': values.encoded() } }),
  (values) => ({ data: [values.encoded()] }),
  (values) => ({ data: values.text() }),
  (values) => ({ stringData: { a: { nested: values.text() } } }),
  (values) => ({ type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': values.text() } }),
  (values) => ({ type: 'kubernetes.io/tls', stringData: { 'tls.crt': values.text() } }),
  (values) => ({ data: { a: values.encoded() }, bogus: values.text() }),
  (values) => ({ stringData: { a: values.text() }, dta: { b: values.text() } }),
]

for (const server of testServers) {
  test(`invariant 4: on ${server.name} no value of a Secret is ever told`, async (t) => {
    const skip = (await gitIsMissing()) ?? (await server.missing())
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    const values = new Values(20_261_120)
    const line = await openLine(t, running, { name: NAME }, goodFiles(values))

    await t.test('of Secrets that only Git has', async () => everythingTold(line, running, values))
    await t.test('of Secrets that are in sync', async () => {
      values.notIn(stringifyJson((await line.sync()).snapshot), 'a sync')
      await everythingTold(line, running, values)
    })
    await t.test('of Secrets that somebody changed and added to', async () => {
      await line.write({
        manager: 'hand',
        path: `${PATH}/plain`,
        body: { data: { a: values.encoded(), c: values.encoded() } },
      })
      await line.write({ manager: 'hand', path: `${PATH}/texts`, body: { stringData: { b: values.text() } } })
      await everythingTold(line, running, values)
    })
    await t.test("of Secrets with kubectl's copy of them in an annotation", async (t) =>
      copied(t, line, running, values),
    )
    for (const [index, bad] of BAD.entries()) {
      await t.test(`of a Secret that the server refuses, ${index + 1}`, async () => {
        await line.scaffold.write({ [`${NAME}/bad.yaml`]: secret('bad', bad(values)) })
        await everythingTold(line, running, values)
      })
    }
    await t.test('of a Secret whose file is broken', async () => {
      const text = `apiVersion: v1\nkind: Secret\nmetadata:\n  name: bad\nstringData:\n  a: "${values.number()}\n  b: [${values.number()}\n`
      await line.scaffold.write({ [`${NAME}/bad.yaml`]: text })
      await everythingTold(line, running, values)
    })
  })
}

async function copied(t: TestContext, line: Line, server: StartedServer, values: Values): Promise<void> {
  const missing = missingTools('kubectl')
  if (missing !== false) return t.skip(missing)
  const kubeconfigPath = line.scaffold.beside('kubeconfig')
  await copyFile(server.kubeconfig, kubeconfigPath)
  const input = secret('annotated', { stringData: { a: values.text(), z: values.text() } })
  const said = await kubectl(['apply', '-f', '-'], { kubeconfigPath, input })
  assert.equal(said.code, 0, said.stderr)
  await everythingTold(line, server, values)
}

const COMMANDS: readonly (readonly string[])[] = [
  ['app', 'diff', NAME],
  ['app', 'diff', NAME, '-o', 'json'],
  ['app', 'get', NAME, '-o', 'yaml'],
  ['app', 'manifests', NAME],
  ['app', 'manifests', NAME, '--source', 'live', '-o', 'json'],
  ['app', 'sync', NAME, '--dry-run', '-o', 'json'],
  ['app', 'list', '-o', 'wide'],
  ['--verbose', 'app', 'sync', NAME],
]

/** Looks at everything that a front could show, over and over another part of the command line. */
let turn = 0
async function everythingTold(line: Line, { kubeconfig, context }: StartedServer, values: Values): Promise<void> {
  const { snapshot, plan, outcome } = await line.look()
  values.notIn(stringifyJson({ snapshot, plan, outcome }), 'a pass')
  const flags = ['--kubeconfig', kubeconfig, ...(context === '' ? [] : ['--context', context])]
  const command = COMMANDS[turn++ % COMMANDS.length] ?? []
  const said = await plumbline([...command, ...flags], { cwd: line.scaffold.folder })
  values.notIn(said.stdout + said.stderr, command.join(' '))
  const synced = await line.sync()
  values.notIn(stringifyJson({ snapshot: synced.snapshot, plan: synced.plan, outcome: synced.outcome }), 'a sync')
}
