import type { CustomHealth } from '../core/pass-context.ts'
import { healthScripts, type HealthScripts } from './health-scripts.ts'
import type { LuaHealth } from './lua-health.ts'

type Settings = Readonly<Record<string, string>>

/** The health scripts of the settings that were read last; Lua is started only where there are any. */
export class SettingsHealth {
  #settings: Settings | undefined
  #digest = ''
  #rules: Promise<CustomHealth> | undefined
  #lua: LuaHealth | undefined

  /** As options of a pass. */
  async rulesOf(settings: Settings): Promise<{ readonly health?: CustomHealth }> {
    if (settings !== this.#settings) {
      this.#settings = settings
      const scripts = healthScripts(settings)
      if (scripts.digest !== this.#digest) {
        this.dispose()
        this.#digest = scripts.digest
        this.#rules = scripts.digest === '' ? undefined : this.#start(scripts)
      }
    }
    return this.#rules === undefined ? {} : { health: await this.#rules }
  }

  dispose(): void {
    this.#lua?.dispose()
    this.#lua = undefined
    this.#rules = undefined
    this.#digest = ''
  }

  async #start(scripts: HealthScripts): Promise<CustomHealth> {
    try {
      // The interpreter is loaded only where there is something to run.
      const { LuaHealth: Lua } = await import('./lua-health.ts')
      this.#lua = await Lua.start(scripts)
      return this.#lua
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      const unknown = { status: 'Unknown', message: `health scripts cannot run here: ${why}` } as const
      return {
        digest: scripts.digest,
        healthOf: (object) => (scripts.scriptFor(object) === undefined ? undefined : unknown),
      }
    }
  }
}
