import { existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { readAssets } from '../../desktop/host/assets.ts'
import { openServices } from '../../desktop/host/services.ts'
import { MemoryVault } from '../../desktop/host/vault.ts'
import { WindowHost } from '../../desktop/host/window-host.ts'
import { serveWindow, type WindowServer } from '../../desktop/serve/server.ts'
import manifest from '../../package.json' with { type: 'json' }
import { CliError } from '../cli-error.ts'

export type BuiltParts = { readonly ui: string; readonly agent: string }

export type WindowServerOptions = {
  readonly port: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that a window opens with. */
  readonly workspace: string
  /** Whether the person named it; otherwise it counts only where it is a repository. */
  readonly named: boolean
  /** The page's folder and the agent's file; those that were built with this program when absent. */
  readonly parts?: BuiltParts
}

/** The window, its host and an agent, ready for browsers. @throws CliError */
export async function startWindowServer(options: WindowServerOptions): Promise<Pick<WindowServer, 'link' | 'close'>> {
  const { port, env, workspace, named } = options
  const { ui, agent } = options.parts ?? builtParts()
  const assets = await readAssets(ui)
  const services = openServices({ node: process.execPath, main: agent, env: { ...env }, share: true }, env)
  // A page that is loaded anew goes on with what was open last.
  let latest = named || isInRepository(workspace) ? workspace : undefined
  const vault = new MemoryVault()
  const server = await serveWindow({
    port,
    assets,
    onWindow: (channel) => {
      const abilities = {
        front: 'browser',
        openFiles: false,
        editFiles: false,
        pickFolders: false,
        version: manifest.version,
      } as const
      const host = new WindowHost(services, { abilities, settings: ['kubeconfig', 'trustedManagers'], vault }, channel)
      host.onEvent((event) => {
        if (event.kind === 'workspace' && event.state.workspace !== '') latest = event.state.workspace
      })
      if (latest !== undefined) void host.openFolder(latest)
    },
  }).catch((error: NodeJS.ErrnoException) => {
    services.hub.dispose()
    if (error.code !== 'EADDRINUSE') throw error
    throw new CliError('refused', `port ${port} is taken`, 'name another with --port, or leave it out for any free one')
  })
  return {
    link: server.link,
    close: async () => {
      await server.close()
      services.hub.dispose()
    },
  }
}

function isInRepository(folder: string): boolean {
  if (existsSync(path.join(folder, '.git'))) return true
  const above = path.dirname(folder)
  return above !== folder && isInRepository(above)
}

/** The built parts, beside the built command or beside the sources. @throws CliError */
function builtParts(): BuiltParts {
  for (const up of ['.', '../../dist', '..']) {
    const folder = path.resolve(import.meta.dirname, up)
    const parts = { ui: path.join(folder, 'ui'), agent: path.join(folder, 'agent', 'main.js') }
    if (existsSync(path.join(parts.ui, 'index.html')) && existsSync(parts.agent)) return parts
  }
  throw new CliError('not-found', 'the window was not built', 'run `npm run build` in the folder of Plumbline')
}
