import { homedir } from 'node:os'
import path from 'node:path'
import { stateFolder } from '../../shared/base/folders.ts'
import type { LaunchOptions } from '../../shared/agent/launch.ts'
import { AgentHub } from './agent-hub.ts'
import { SettingsStore } from './settings.ts'
import type { Services } from './window-desk.ts'
import { WorkspaceStore } from './workspaces.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What the windows of one process share, over the person's own state. */
export function openServices(launch: LaunchOptions, env: Environment): Services {
  const folder = windowFolder(env)
  return {
    hub: new AgentHub(launch),
    settings: new SettingsStore(path.join(folder, 'settings.json')),
    workspaces: new WorkspaceStore(path.join(folder, 'workspaces.json')),
    home: homedir(),
    tourFolder: path.join(stateFolder(env), 'tour'),
  }
}

/** Where the window keeps what outlives it: settings, recent workspaces, its size. */
export function windowFolder(env: Environment): string {
  return path.join(stateFolder(env), 'window')
}
