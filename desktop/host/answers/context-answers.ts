import { readFile, stat } from 'node:fs/promises'
import { CLUSTER_METHODS } from '../../../shared/agent/cluster-contract.ts'
import type { ContextShown } from '../../../shared/model/front.ts'
import type { KubeContextRow } from '../../../shared/model/kube-context.ts'
import type { HostAnswers } from '../../../shared/view/host-channel.ts'
import { contextRows, guardProduction, kubeconfigOf } from '../contexts.ts'
import { HostError } from '../host-error.ts'
import type { WindowDesk } from '../window-desk.ts'

const LARGEST_BYTES = 1024 * 1024

/** The contexts of all kubeconfigs: looked at, and edited with comments and order kept. */
export function contextAnswers(desk: WindowDesk): HostAnswers {
  const { hub, session, tell } = desk
  const stale = <T>(result: T): T => {
    tell({ kind: 'stale', what: 'contexts' })
    tell({ kind: 'stale', what: 'clusters' })
    return result
  }
  return {
    'contexts/list': async (_, { signal }) => {
      const rows = await contextRows(desk, { signal })
      return rows.map((row) => shown(row, session.context))
    },
    'contexts/probe': async ({ name }, { signal }) => {
      const asked = { context: name, ...(await kubeconfigOf(desk)) }
      const probe = await hub.ask(CLUSTER_METHODS.probeContext, asked, { signal })
      const { state, version, message, tookMs } = probe
      return { reachable: state === 'reachable', version, message, latencyMs: tookMs }
    },
    'contexts/use': async ({ name }, { signal }) => {
      await hub.ask(CLUSTER_METHODS.useContext, { context: name, ...(await kubeconfigOf(desk)) }, { signal })
      return stale(null)
    },
    'contexts/rename': async ({ name, to }, { signal }) => {
      await hub.ask(CLUSTER_METHODS.renameContext, { context: name, to, ...(await kubeconfigOf(desk)) }, { signal })
      if (name === session.context) await session.useContext(to)
      return stale(null)
    },
    'contexts/namespace': async ({ name, namespace }, { signal }) => {
      const asked = { context: name, namespace, ...(await kubeconfigOf(desk)) }
      await hub.ask(CLUSTER_METHODS.setNamespace, asked, { signal })
      return stale(null)
    },
    'contexts/production': async ({ name, production }, { signal }) => {
      await hub.ask(CLUSTER_METHODS.markProduction, { context: name, production }, { signal })
      if (name === session.context) session.markProduction(production)
      return stale(null)
    },
    'contexts/delete': async ({ name, typedName }, { signal }) => {
      await guardProduction(desk, name, typedName)
      const asked = { context: name, ...(await kubeconfigOf(desk)) }
      return stale((await hub.ask(CLUSTER_METHODS.deleteContext, asked, { signal })).undo)
    },
    'contexts/undo': async ({ token }, { signal }) =>
      stale(await hub.ask(CLUSTER_METHODS.undoEdit, { undo: token }, { signal })),
    'contexts/import': async ({ file }, { signal }) => {
      const asked = { text: await kubeconfigText(file), from: file, ...(await kubeconfigOf(desk)) }
      return stale((await hub.ask(CLUSTER_METHODS.importKubeconfig, asked, { signal })).contexts)
    },
  }
}

function shown(
  { name, cluster, server, user, auth, namespace, file, current, production, simulated }: KubeContextRow,
  chosen: string,
): ContextShown {
  return { name, cluster, server, user, auth, namespace, file, current, production, simulated, chosen: name === chosen }
}

/** @throws HostError where there is no such file, or it is far too long for a kubeconfig */
async function kubeconfigText(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined || !found.isFile()) throw new HostError('refused', `there is no file ${file}`)
  if (found.size > LARGEST_BYTES) throw new HostError('refused', `${file} is too large for a kubeconfig`)
  return readFile(file, 'utf8')
}
