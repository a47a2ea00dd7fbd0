import { dialog, safeStorage, shell, type BrowserWindow } from 'electron'
import path from 'node:path'
import { fileBelow } from '../host/below.ts'
import { HostError } from '../host/host-error.ts'
import type { Platform } from '../host/platform.ts'
import type { SettingsStore } from '../host/settings.ts'
import { KeychainVault } from './keychain-vault.ts'

/** What is opened in the program that the person has for it: texts, and nothing that runs. */
const OPENED = /\.(?:ya?ml|json)$/i

export type ElectronPlatformOptions = {
  readonly version: string
  readonly folder: string
  readonly settings: SettingsStore
  readonly window: () => BrowserWindow | undefined
}

export function electronPlatform({ version, folder, settings, window }: ElectronPlatformOptions): Platform {
  return {
    abilities: { front: 'window', openFiles: true, editFiles: false, pickFolders: true, version },
    settings: [
      'kubeconfig',
      'trustedManagers',
      'notifications',
      'tray',
      'keepRunning',
      'updateFeed',
      ...(process.platform === 'linux' ? (['weakCredentials'] as const) : []),
    ],
    vault: new KeychainVault({
      file: path.join(folder, 'credentials.json'),
      safeStorage,
      platform: process.platform,
      isWeakAllowed: async () => (await settings.get()).weakCredentials,
    }),
    pickFolder: async () => pickFolder(window()),
    openFile: async (root, file) => {
      const found = OPENED.test(file) ? await fileBelow(root, file) : undefined
      if (found === undefined) throw new HostError('refused', `${file} is not a manifest of this repository`)
      const problem = await shell.openPath(found)
      if (problem !== '') throw new HostError('refused', problem)
    },
  }
}

export async function pickFolder(window: BrowserWindow | undefined): Promise<string | undefined> {
  const options = {
    title: 'Open a repository',
    buttonLabel: 'Open',
    properties: ['openDirectory'] as ['openDirectory'],
  }
  const answer = await (window === undefined ? dialog.showOpenDialog(options) : dialog.showOpenDialog(window, options))
  return answer.canceled ? undefined : answer.filePaths[0]
}
