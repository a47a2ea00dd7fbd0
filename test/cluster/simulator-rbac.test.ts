// Roles and bindings decide as they do in kube-apiserver: who may do what, in which words the rest is refused, and that
// nobody grants more than they have.
import assert from 'node:assert/strict'
import test from 'node:test'
import { startServer } from '../../shared/simulator/server.ts'
import { startControlPlane } from '../support/control-plane.ts'
import { differenceOf, normalAnswer } from '../support/differential-compare.ts'
import type { Answer, Json, Step } from '../support/differential-step.ts'
import { DifferentialTarget } from '../support/differential-target.ts'
import { rbacDangling, rbacDanglingRequests, rbacRequests, rbacSetup } from '../support/rbac-requests.ts'
import { missingTools } from '../support/tools/find.ts'

const namespace = 'rbac-lab'

interface Server {
  readonly url: string
  readonly token: string
}

test(
  'a least-privilege role is enforced as kube-apiserver enforces it',
  { skip: missingTools('etcd', 'kube-apiserver') },
  async (t) => {
    const plane = await startControlPlane()
    t.after(() => plane.stop())
    const server = await startServer({ controllers: false, rbac: true })
    t.after(() => server.close())
    const sides = [await openLab(plane), await openLab(server)] as const
    t.after(() => Promise.all(sides.flatMap(({ admin, account }) => [admin.close(), account.close()])))
    const compare = async (steps: readonly Step[]): Promise<void> => {
      for (const step of steps) {
        const asked = step.body === undefined ? '' : ` ${JSON.stringify(step.body).slice(0, 160)}`
        await t.test(`${step.method} ${step.path}${asked}`, async () => {
          const [real, ours] = await Promise.all(sides.map(async ({ account }) => account.call(step)))
          assert.ok(real !== undefined && ours !== undefined)
          const difference = differenceOf(normalAnswer(sorted(real), namespace), normalAnswer(sorted(ours), namespace))
          assert.equal([...(difference?.body ?? []), ...(difference?.messages ?? [])].join('\n'), '')
        })
      }
    }
    await compare(rbacRequests)
    for (const { admin } of sides) await lay(admin, rbacDangling)
    await compare(rbacDanglingRequests)
  },
)

/** Rules come in the order of a cache, which is none. */
function sorted(answer: Answer): Answer {
  const status = (answer.body as { readonly status?: unknown } | null)?.status
  if (typeof status !== 'object' || status === null) return answer
  const lists = Object.entries(status).map(([key, value]) => [
    key,
    Array.isArray(value) ? [...value].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : value,
  ])
  return { ...answer, body: { ...(answer.body as object), status: Object.fromEntries(lists) as Json } }
}

interface Lab {
  readonly admin: DifferentialTarget
  /** Signed in as the account that may little. */
  readonly account: DifferentialTarget
}

async function openLab(server: Server): Promise<Lab> {
  const admin = new DifferentialTarget(server)
  admin.begin(namespace)
  await lay(admin, [
    { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: namespace } } },
    ...rbacSetup,
  ])
  const { body } = await admin.call({
    method: 'POST',
    path: '/api/v1/namespaces/{{ns}}/serviceaccounts/limited/token',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
  })
  const account = new DifferentialTarget({ url: server.url, token: tokenIn(body) })
  account.begin(namespace)
  return { admin, account }
}

async function lay(target: DifferentialTarget, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const { status, body } = await target.call(step)
    assert.ok(status < 300, `${step.method} ${step.path}: ${JSON.stringify(body)}`)
  }
}

function tokenIn(body: Json): string {
  return (body as { readonly status: { readonly token: string } }).status.token
}
