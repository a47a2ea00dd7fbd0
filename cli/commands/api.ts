import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import { keepYoungHeapSmall } from '../../shared/base/young-heap.ts'
import { isArray, isObject, type JsonObject } from '../../shared/model/json.ts'
import { YamlReader } from '../../shared/render/yaml/read.ts'
import { CliError } from '../cli-error.ts'
import { print, say, type Io } from '../io.ts'

type ApiFlags = {
  readonly port?: string
  readonly token?: string
  readonly data?: string
  readonly controllers: boolean
  readonly writeKubeconfig?: string
  readonly rbac?: boolean
}

/** `plumbline api`: the embedded API server on its own. */
export function apiCommand(program: Command, io: Io): void {
  program
    .command('api')
    .summary('run the embedded Kubernetes API server on its own')
    .description(
      'Runs the embedded Kubernetes API server on loopback until it is told to stop. Prints `ready URL` when it answers.',
    )
    .argument('[manifest...]', 'files with objects to create at the start')
    .option('--port <n>', 'port to listen on (default: any free one)')
    .option('--token <token>', "the administrator's bearer token (default: a random one)")
    .option('--data <dir>', 'folder to keep the state in (default: memory only)')
    .option('--no-controllers', 'only store objects: no pods, no rollouts, no garbage collection')
    .option('--rbac', 'let the stored roles and bindings decide who may do what')
    .option('--write-kubeconfig <file>', 'write a kubeconfig for the server')
    .addHelpText('after', API_EXAMPLES)
    .action(async (manifests: readonly string[], flags: ApiFlags) => serve(manifests, flags, io))
}

const API_EXAMPLES = `
Examples:
  plumbline api --write-kubeconfig /tmp/kube.yaml
  plumbline api --data ./state crds.yaml namespace.yaml
  KUBECONFIG=/tmp/kube.yaml kubectl get nodes`

async function serve(files: readonly string[], flags: ApiFlags, io: Io): Promise<void> {
  const manifests = (await Promise.all(files.map(async (file) => objectsOf(path.resolve(io.cwd, file))))).flat()
  keepYoungHeapSmall()
  const { startServer } = await import('../../shared/simulator/server.ts')
  const server = await startServer({
    port: portOf(flags.port),
    controllers: flags.controllers,
    manifests,
    ...(flags.rbac === true ? { rbac: true } : {}),
    ...(flags.token === undefined ? {} : { token: flags.token }),
    ...(flags.data === undefined ? {} : { dataDir: path.resolve(io.cwd, flags.data) }),
  })
  try {
    if (flags.writeKubeconfig !== undefined)
      await writePrivate(path.resolve(io.cwd, flags.writeKubeconfig), server.kubeconfig())
    print(io, `ready ${server.url}`)
    if (flags.writeKubeconfig === undefined) say(io, 'no kubeconfig was written; see --write-kubeconfig')
    await new Promise<void>((resolve) => {
      if (io.signal.aborted) resolve()
      else io.signal.addEventListener('abort', () => resolve(), { once: true })
    })
  } finally {
    await server.close()
  }
}

/** A port from a flag; 0 is any free one. @throws CliError */
export function portOf(text: string | undefined): number {
  const port = Number(text ?? 0)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new CliError('usage', `--port takes a number from 0 to 65535, not ${text}`)
}

async function objectsOf(file: string): Promise<readonly JsonObject[]> {
  const documents = new YamlReader().read(await readFile(file, 'utf8'), file)
  return documents.flatMap(({ value }) => {
    if (!isObject(value)) return []
    const items = value['items']
    return isArray(items) && typeof value['kind'] === 'string' && value['kind'].endsWith('List')
      ? items.filter(isObject)
      : [value]
  })
}

async function writePrivate(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text, { mode: 0o600 })
  // The mode of writeFile counts for new files only.
  await chmod(file, 0o600)
}
