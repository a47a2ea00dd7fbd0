import type { HostEvent } from '../../shared/view/host.ts'
import type { AgentHub } from './agent-hub.ts'
import type { Platform } from './platform.ts'
import type { SettingsStore } from './settings.ts'
import type { WindowSession } from './window-session.ts'
import type { WorkspaceStore } from './workspaces.ts'

/** What the windows of one process share. */
export type Services = {
  readonly hub: AgentHub
  readonly settings: SettingsStore
  readonly workspaces: WorkspaceStore
  /** The person's home folder. */
  readonly home: string
  /** Where the tour's repository is kept. */
  readonly tourFolder: string
}

/** Everything that the answers of one window work with. */
export type WindowDesk = Services & {
  readonly platform: Platform
  readonly session: WindowSession
  readonly tell: (event: HostEvent) => void
}
