import type { FormField, FormValue } from '../../shared/model/front.ts'
import { JsonFile } from './json-file.ts'

/** What a person may set. Each has the default that a first run finds. */
export type Settings = {
  /** One kubeconfig in place of what `KUBECONFIG` names; empty for that. */
  readonly kubeconfig: string
  readonly trustedManagers: readonly string[]
  /** A notification when an application drifts or breaks while the window is not in front. */
  readonly notifications: boolean
  readonly tray: boolean
  /** Closing the last window leaves the watch in the tray. */
  readonly keepRunning: boolean
  /** Address of a JSON file that names the newest version; empty means that nobody ever looks. */
  readonly updateFeed: string
  /** Consent to credentials that the platform can only hide, not protect. */
  readonly weakCredentials: boolean
}

export type SettingKey = keyof Settings

const DEFAULTS: Settings = {
  kubeconfig: '',
  trustedManagers: [],
  notifications: true,
  tray: true,
  keepRunning: false,
  updateFeed: '',
  weakCredentials: false,
}

const WORDS: Readonly<Record<SettingKey, { readonly title: string; readonly description: string }>> = {
  kubeconfig: {
    title: 'Kubeconfig',
    description: 'The file to read in place of what KUBECONFIG names. Empty: KUBECONFIG, else ~/.kube/config.',
  },
  trustedManagers: {
    title: 'Trusted managers',
    description: 'Field managers whose fields are left alone and not counted as drift.',
  },
  notifications: {
    title: 'Notifications',
    description: 'Tell when an application drifts or breaks while the window is not in front.',
  },
  tray: { title: 'Tray', description: 'Show the number of drifted applications in the tray.' },
  keepRunning: { title: 'Keep watching', description: 'Closing the window leaves the watch running in the tray.' },
  updateFeed: {
    title: 'Update address',
    description: 'Where the newest version is named, as {"version": "1.2.3"}. Empty: nobody ever looks for updates.',
  },
  weakCredentials: {
    title: 'Keep credentials without a keychain',
    description:
      'This machine has no keychain that Plumbline can use. With this, credentials are kept in a file that anybody who can read your files can read.',
  },
}

/** The settings of all windows of one person. */
export class SettingsStore {
  readonly #file: JsonFile<Settings>
  readonly #listeners = new Set<(settings: Settings) => void>()

  constructor(file: string) {
    this.#file = new JsonFile(file, settingsOf)
  }

  async get(): Promise<Settings> {
    return this.#file.get()
  }

  /** Those settings as questions of a form. */
  async fields(keys: readonly SettingKey[]): Promise<readonly FormField[]> {
    const settings = await this.get()
    return keys.map((key) => ({
      key,
      ...WORDS[key],
      kind: kindOf(DEFAULTS[key]),
      choices: [],
      value: settings[key],
      required: false,
    }))
  }

  /** @returns false where there is no such setting, or the value is none for it */
  async set(key: string, value: FormValue): Promise<boolean> {
    if (!isKey(key) || !isSame(DEFAULTS[key], value)) return false
    const settings = await this.#file.change((before) => ({ ...before, [key]: value }))
    for (const listener of this.#listeners) listener(settings)
    return true
  }

  /** @returns the listener's removal */
  onChange(listener: (settings: Settings) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** Settings of a file that may be older, newer or made by hand: what does not fit is the default. */
export function settingsOf(value: unknown): Settings {
  const found = (value ?? {}) as Readonly<Record<string, unknown>>
  const entries = Object.entries(DEFAULTS).map(([key, usual]) => [key, isSame(usual, found[key]) ? found[key] : usual])
  return Object.fromEntries(entries) as Settings
}

function isKey(key: string): key is SettingKey {
  return Object.hasOwn(DEFAULTS, key)
}

function isSame(usual: FormValue, value: unknown): boolean {
  if (Array.isArray(usual)) return Array.isArray(value) && value.every((item) => typeof item === 'string')
  return typeof value === typeof usual
}

function kindOf(value: FormValue): FormField['kind'] {
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'text' : 'list'
}
