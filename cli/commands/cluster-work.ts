import path from 'node:path'
import { openClusters, type ClusterManager } from '../../shared/clusters/cluster-manager.ts'
import {
  CLUSTER_PROVIDERS,
  type ClusterProvider,
  type ClusterRef,
  type ClusterRow,
} from '../../shared/model/cluster.ts'
import type { Progress } from '../../shared/clusters/cluster-operations.ts'
import { CliError } from '../cli-error.ts'
import { confirm } from '../confirm.ts'
import { paintFor } from '../format/colour.ts'
import { StepProgress } from '../format/step-progress.ts'
import { print, say, type Io } from '../io.ts'

export type WorkFlags = { readonly provider?: string }

/** Runs one operation with its progress on stderr. */
export async function withProgress<T>(io: Io, lines: boolean, run: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = new StepProgress(io.stderr, paintFor(io.stderr, io.env), lines)
  try {
    return await run({ onEvent: progress.tell, signal: io.signal })
  } finally {
    progress.end()
  }
}

export async function startCluster(name: string, flags: WorkFlags, io: Io): Promise<void> {
  const clusters = openClusters({ env: io.env })
  const ref = await named(clusters, name, flags, io)
  const row = await withProgress(io, false, async (progress) => clusters.start(ref, progress))
  say(io, `${row.id} runs; its context is ${row.context}`)
}

export async function stopCluster(name: string, flags: WorkFlags, io: Io): Promise<void> {
  const clusters = openClusters({ env: io.env })
  const ref = await named(clusters, name, flags, io)
  const row = await withProgress(io, false, async (progress) => clusters.stop(ref, progress))
  say(io, `${row.id} is stopped; what is in it stays`)
}

export async function deleteCluster(
  name: string,
  flags: WorkFlags & { readonly yes?: boolean; readonly confirm?: string },
  io: Io,
): Promise<void> {
  const clusters = openClusters({ env: io.env })
  const row = await named(clusters, name, flags, io)
  if (!row.owned && flags.confirm !== row.name) {
    const next = `type its name: plumbline cluster delete ${row.id} --confirm ${row.name}`
    throw new CliError('refused', `${row.id} was not made by Plumbline`, next)
  }
  const sure = flags.yes === true || flags.confirm === row.name
  if (!sure && !(await confirm(`Delete ${row.id} with all that is in it?`, io)))
    throw new CliError('refused', 'nothing was deleted')
  await withProgress(io, false, async (progress) => clusters.delete(row, { ...progress, confirmName: flags.confirm }))
  say(io, `${row.id} is deleted`)
}

export async function loadImage(name: string, image: string, flags: WorkFlags, io: Io): Promise<void> {
  const clusters = openClusters({ env: io.env })
  const ref = await named(clusters, name, flags, io)
  await withProgress(io, true, async (progress) => clusters.loadImage(ref, image, progress))
  say(io, `${image} is on the nodes of ${ref.id}`)
}

export async function exportLogs(name: string, folder: string | undefined, flags: WorkFlags, io: Io): Promise<void> {
  const clusters = openClusters({ env: io.env })
  const ref = await named(clusters, name, flags, io)
  const target = path.resolve(io.cwd, folder ?? `${ref.provider}-${ref.name}-logs`)
  await withProgress(io, false, async (progress) => clusters.exportLogs(ref, target, progress))
  print(io, target)
}

export async function downloadTool(tool: string, { version }: { readonly version?: string }, io: Io): Promise<void> {
  const found = await withProgress(io, true, async (progress) =>
    openClusters({ env: io.env }).download(tool, { ...progress, version }),
  )
  print(io, found.path)
}

/** The cluster that `NAME` or `PROVIDER/NAME` means. @throws CliError `not-found`, `usage` where several have the name */
async function named(clusters: ClusterManager, text: string, { provider }: WorkFlags, io: Io): Promise<ClusterRow> {
  const wanted = refOf(text, provider)
  const rows = await clusters.list({ signal: io.signal })
  const found = rows.filter(
    (row) => row.name === wanted.name && (wanted.provider === undefined || row.provider === wanted.provider),
  )
  const [first, second] = found
  if (first === undefined) {
    const names = rows.map(({ id }) => id).join(', ')
    throw new CliError('not-found', `there is no cluster ${text}`, names === '' ? undefined : `there are: ${names}`)
  }
  if (second === undefined) return first
  throw new CliError(
    'usage',
    `several clusters are called ${wanted.name}`,
    `say which: ${found.map(({ id }) => id).join(', ')}`,
  )
}

/** @throws CliError `usage` */
export function refOf(text: string, provider?: string): Partial<ClusterRef> & { readonly name: string } {
  const [head = '', ...rest] = text.split('/')
  if (rest.length > 0) return { provider: providerOf(head), name: rest.join('/') }
  return provider === undefined ? { name: text } : { provider: providerOf(provider), name: text }
}

function providerOf(text: string): ClusterProvider {
  const found = CLUSTER_PROVIDERS.find((one) => one === text)
  if (found !== undefined) return found
  throw new CliError('usage', `there is no provider ${text}`, `there are: ${CLUSTER_PROVIDERS.join(', ')}`)
}
