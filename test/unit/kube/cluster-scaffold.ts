import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ServerOptions } from 'node:https'
import type { TestContext } from 'node:test'
import { connectCluster } from '../../../shared/kube/cluster.ts'
import type { Cluster } from '../../../shared/kube/cluster.ts'
import { FaultyApiServer } from '../../support/faulty-api-server.ts'

export const configMaps = { group: '', version: 'v1', kind: 'ConfigMap' }

/** A folder that ends with the test. */
export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-kube-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A server that fails on request and a client of it; both end with the test. */
export async function faultyCluster(
  t: TestContext,
  options: { watch?: boolean; tls?: ServerOptions; cluster?: object; user?: object; timeoutMs?: number } = {},
): Promise<{ server: FaultyApiServer; cluster: Cluster }> {
  const server = await FaultyApiServer.start(options.tls)
  const file = path.join(await temporaryFolder(t), 'config')
  await writeFile(file, server.kubeconfig(options.cluster, options.user))
  const { watch = false, timeoutMs } = options
  const cluster = await connectCluster({ kubeconfig: file, watch, timeoutMs, schemaFolder: false })
  t.after(async () => {
    await cluster.dispose()
    await server.stop()
  })
  return { server, cluster }
}

/** Waits until it is so. @throws Error when it is not so in time. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 5000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
    await new Promise((resolve) => {
      setTimeout(resolve, 5)
    })
  }
}

/** Runs work that must fail. @returns its error. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}
