import type { FrontAbilities } from '../../shared/model/front.ts'
import type { SettingKey } from './settings.ts'
import type { Vault } from './vault.ts'

/** What Electron can do and a browser cannot, or does otherwise. */
export type Platform = {
  readonly abilities: FrontAbilities
  /** The settings that mean something here. */
  readonly settings: readonly SettingKey[]
  readonly vault: Vault
  /** The platform's dialog; undefined where the person changed their mind. Absent where there is none. */
  readonly pickFolder?: () => Promise<string | undefined>
  /** Opens a manifest of the repository in the person's editor; the file is relative to the root. */
  readonly openFile?: (root: string, file: string) => Promise<void>
}
