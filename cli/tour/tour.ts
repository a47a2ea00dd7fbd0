import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stateFolder } from '../../shared/base/folders.ts'
import { openEmbedded } from '../../shared/clusters/embedded.ts'
import { connectCluster } from '../../shared/kube/cluster.ts'
import {
  driftByHand,
  makeTourRepository,
  tourExamples,
  type TourRepository,
} from '../../shared/session/tour-repository.ts'
import { CliError } from '../cli-error.ts'
import { paintFor } from '../format/colour.ts'
import { say, type ExitCode, type Io } from '../io.ts'

/** Runs one command line of ours, as a person would type it. */
export type RunCommand = (words: readonly string[], io: Io) => Promise<ExitCode>

export type TourOptions = {
  readonly once: boolean
  /** Opens the window afterwards. */
  readonly window: boolean
  readonly port?: number
}

type Stage = {
  readonly io: Io
  readonly repository: TourRepository
  readonly kubeconfig: string
  readonly run: RunCommand
}

/** Shows the whole line on a repository and a cluster of the tour's own, with the real commands. */
export async function tour(options: TourOptions, run: RunCommand, io: Io): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), 'plumbline-tour-'))
  // A state of the tour's own, so that the window finds this cluster as the embedded one and the person's stays as it is.
  const env = { ...io.env, XDG_STATE_HOME: path.join(home, 'state') }
  const { port } = options
  const cluster = await openEmbedded(path.join(stateFolder(env), 'embedded'), port === undefined ? {} : { port })
  try {
    const kubeconfig = path.join(home, 'kubeconfig')
    await copyFile(cluster.kubeconfig, kubeconfig)
    const repository = await makeTourRepository(examplesFolder(), path.join(home, 'repository'))
    const stage = { io: { ...io, cwd: repository.folder }, repository, kubeconfig, run }
    say(io, `a Git repository with three applications: ${repository.folder}`)
    say(io, `an embedded Kubernetes API server (simulated): ${cluster.url}`)
    await play(stage)
    if (options.once) return
    epilogue(stage)
    if (!options.window) return await until(io.signal)
    const { openWindow } = await import('../window/open-window.ts')
    await openWindow({ workspace: repository.folder, env }, io)
  } finally {
    await cluster.dispose()
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

async function play(stage: Stage): Promise<void> {
  const { repository } = stage
  title(stage, '1 · Three applications in Git, nothing in the cluster')
  await command(stage, 'app list')
  title(stage, '2 · A sync brings them in')
  for (const name of ['guestbook', 'shop', 'board']) await command(stage, `app sync ${name}`)
  await command(stage, 'app wait shop --health --timeout 30')
  await command(stage, 'app tree shop')

  title(stage, '3 · Somebody edits the cluster by hand')
  await editByHand(stage)
  await command(stage, 'app wait shop --health --timeout 30')
  await command(stage, 'app diff shop')
  title(stage, '4 · A sync heals it: the replicas go back, the stray variable goes')
  await command(stage, 'app sync shop')

  title(stage, '5 · A commit moves the image')
  await repository.edit('shop/deployment.yaml', 'shop:1.27', 'shop:1.28', 'Move the shop to 1.28')
  await command(stage, 'app diff shop')
  await command(stage, 'app sync shop --dry-run')
  await command(stage, 'app sync shop')

  title(stage, '6 · A commit takes the banner down; a sync with prune takes it out of the cluster')
  await repository.remove('board/banner.yaml', 'Take the banner down')
  await command(stage, 'app sync board')
  await command(stage, 'app sync board --prune')
  await command(stage, 'app wait shop --timeout 30')
  await command(stage, 'app list')
}

async function editByHand({ kubeconfig, io }: Stage): Promise<void> {
  const cluster = await connectCluster({ kubeconfig, watch: false })
  try {
    await driftByHand(cluster, { signal: io.signal })
  } finally {
    await cluster.dispose()
  }
  say(io, dim(io, '  (kubectl-edit set replicas to 4, night-shift added the variable DEBUG)'))
}

function title({ io }: Stage, text: string): void {
  say(io, `\n${paintFor(io.stderr, io.env)('bold', text)}`)
}

async function command(stage: Stage, words: string): Promise<void> {
  const { io, kubeconfig, run } = stage
  say(io, dim(io, `$ plumbline ${words}`))
  const exit = await run([...words.split(' '), '--kubeconfig', kubeconfig], io)
  if (exit === 2) throw new CliError('refused', `the tour stopped at: plumbline ${words}`)
}

function dim(io: Io, text: string): string {
  return paintFor(io.stderr, io.env)('dim', text)
}

function epilogue({ io, kubeconfig, repository }: Stage): void {
  say(io, '\nGo on by yourself in another terminal; the cluster serves until you press Ctrl-C:')
  say(io, `  export KUBECONFIG=${kubeconfig}`)
  say(io, `  cd ${repository.folder}`)
  say(io, '  kubectl get deployments,pods -A             # any Kubernetes client works')
  say(io, '  kubectl -n shop scale deployment shop --replicas=5')
  say(io, '  npx plumbline app diff shop --kubeconfig $KUBECONFIG')
}

function examplesFolder(): string {
  const folder = tourExamples()
  if (folder === undefined) throw new CliError('not-found', "the tour's examples are not beside the program")
  return folder
}

async function until(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
