import type { MessageConnection, RequestType } from 'vscode-jsonrpc/node'
import { stateFolder } from '../base/folders.ts'
import { openClusters, type ClusterManager } from '../clusters/cluster-manager.ts'
import { KubeconfigEditor } from '../clusters/kubeconfig/kubeconfig-editor.ts'
import { markProduction } from '../clusters/production-marks.ts'
import type { Cancellable } from '../model/ports.ts'
import { kubeContexts, probeContext } from '../session/kube-contexts.ts'
import { CLUSTER_METHODS, clusterEvent } from './cluster-contract.ts'
import type { FailureData } from './contract.ts'

type Served = {
  readonly connection: MessageConnection
  readonly answer: <P, R>(
    type: RequestType<P, R, FailureData>,
    work: (params: P, options: Cancellable) => Promise<R>,
  ) => void
}

/** One for all clients of this agent, so that each is told what another one does. */
let shared: ClusterManager | undefined

/** Answers for the machine's clusters and kubeconfigs. */
export function answerClusterMethods({ connection, answer }: Served): void {
  const clusters = (shared ??= openClusters())
  answer(CLUSTER_METHODS.providers, async (_, options) => clusters.providers(options))
  answer(CLUSTER_METHODS.list, async (_, options) => clusters.list(options))
  answer(CLUSTER_METHODS.create, async (spec, options) => clusters.create(spec, options))
  answer(CLUSTER_METHODS.start, async (ref, options) => clusters.start(ref, options))
  answer(CLUSTER_METHODS.stop, async (ref, options) => clusters.stop(ref, options))
  answer(CLUSTER_METHODS.delete, async ({ confirmName, ...ref }, options) => {
    await clusters.delete(ref, { ...options, confirmName })
    return null
  })
  answer(CLUSTER_METHODS.loadImage, async ({ image, ...ref }, options) => {
    await clusters.loadImage(ref, image, options)
    return null
  })
  answer(CLUSTER_METHODS.exportLogs, async ({ folder, ...ref }, options) => clusters.exportLogs(ref, folder, options))
  answer(CLUSTER_METHODS.download, async ({ tool, version }, options) =>
    clusters.download(tool, { ...options, version }),
  )
  answer(CLUSTER_METHODS.cancel, async (ref) => clusters.cancel(ref))
  answerContexts(answer)
  let end: (() => void) | undefined
  answer(CLUSTER_METHODS.watch, async () => {
    end?.()
    end = clusters.listen((told) => void connection.sendNotification(clusterEvent, told).catch(() => undefined))
    return null
  })
  connection.onClose(() => end?.())
}

function answerContexts(answer: Served['answer']): void {
  answer(CLUSTER_METHODS.contextRows, async (params, options) => kubeContexts({ ...params, ...options }))
  answer(CLUSTER_METHODS.probeContext, async ({ context, ...params }, options) =>
    probeContext(context, { ...params, ...options }),
  )
  answer(CLUSTER_METHODS.useContext, async ({ context, kubeconfig }, options) =>
    editor(kubeconfig).setCurrent(context, options),
  )
  answer(CLUSTER_METHODS.renameContext, async ({ context, to, kubeconfig }, options) =>
    editor(kubeconfig).renameContext(context, to, options),
  )
  answer(CLUSTER_METHODS.setNamespace, async ({ context, namespace, kubeconfig }, options) =>
    editor(kubeconfig).setNamespace(context, namespace, options),
  )
  answer(CLUSTER_METHODS.deleteContext, async ({ context, kubeconfig }, options) =>
    editor(kubeconfig).deleteContext(context, options),
  )
  answer(CLUSTER_METHODS.importKubeconfig, async ({ text, from, replace = false, kubeconfig }, options) =>
    editor(kubeconfig).importText(text, { ...options, from, replace }),
  )
  answer(CLUSTER_METHODS.undoEdit, async ({ undo }, options) => {
    await editor(undefined).undo(undo, options)
    return null
  })
  answer(CLUSTER_METHODS.markProduction, async ({ context, production }) => {
    await markProduction(context, production, stateFolder())
    return null
  })
}

function editor(kubeconfig: string | undefined): KubeconfigEditor {
  return new KubeconfigEditor({ env: process.env, state: stateFolder(), kubeconfig })
}
