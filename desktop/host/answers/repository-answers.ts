import path from 'node:path'
import { METHODS } from '../../../shared/agent/contract.ts'
import type { RepositoryShown } from '../../../shared/model/front.ts'
import type { Cancellable } from '../../../shared/model/ports.ts'
import type { HostAnswers } from '../../../shared/view/host-channel.ts'
import { HostError } from '../host-error.ts'
import type { Credential, Vault } from '../vault.ts'
import type { WindowDesk } from '../window-desk.ts'

/** Repositories that applications are made of, and what is shown to their servers. */
export function repositoryAnswers(desk: WindowDesk): HostAnswers {
  const { hub, platform, tell, home } = desk
  const { vault } = platform
  return {
    'repositories/list': async (_, options) => listed(desk, options),
    'repositories/add': async (params, options) => {
      await vault.put(checked(params, home))
      await handOver(desk, options)
      tell({ kind: 'stale', what: 'repositories' })
      return null
    },
    'repositories/test': async ({ url }, options) => hub.ask(METHODS.testRepository, { url }, options),
    'repositories/remove': async ({ url }, options) => {
      if (!(await vault.remove(url)))
        throw new HostError('refused', 'applications name this repository; it has no credentials here to remove')
      await handOver(desk, options)
      tell({ kind: 'stale', what: 'repositories' })
      return null
    },
  }
}

/** Gives the agent all credentials, which it keeps in memory. Called whenever they change, and when the agent is another one. */
export async function handOver(
  { hub, platform }: Pick<WindowDesk, 'hub' | 'platform'>,
  options: Cancellable = {},
): Promise<void> {
  const credentials = await platform.vault.list()
  await hub.ask(METHODS.setCredentials, { credentials }, options)
}

async function listed(
  { hub, session, platform, home }: WindowDesk,
  options: Cancellable,
): Promise<readonly RepositoryShown[]> {
  const { vault } = platform
  const credentials = await vault.list()
  const rows =
    session.folder === '' ? [] : await hub.ask(METHODS.repositories, { session: await session.whenOpen() }, options)
  const shown = rows.map(({ url, ...row }): RepositoryShown => {
    const own = credentials.find((credential) => credential.url === url)
    return { url, ...row, credential: own === undefined ? 'none' : credentialWords(own, vault, home) }
  })
  const unused = credentials.filter(({ url }) => !rows.some((row) => row.url === url))
  return [
    ...shown,
    ...unused.map((one): RepositoryShown => ({
      url: one.url,
      kind: one.sshKey === '' ? 'https' : 'ssh',
      folder: '',
      branch: '',
      applications: 0,
      credential: credentialWords(one, vault, home),
    })),
  ]
}

/** `token of ada, kept in the keychain`: everything but the secret. */
function credentialWords(credential: Credential, { place }: Vault, home: string): string {
  const { username, secret, sshKey } = credential
  if (isKeyText(sshKey)) return `ssh key, kept ${place}`
  if (sshKey !== '') return `ssh key ${sshKey.replace(`${home}${path.sep}`, '~/')}`
  return secret === '' ? 'none' : `token of ${username || 'git'}, kept ${place}`
}

/** @throws HostError */
function checked(credential: Credential, home: string): Credential {
  const { url, secret, sshKey } = credential
  if (/^https?:\/\/[^/]*@/.test(url))
    throw new HostError('refused', 'a user and a password belong into their own fields, not into the address')
  if (url.startsWith('http:') && secret !== '')
    throw new HostError('refused', 'over http everybody on the way could read the secret; use https')
  if (sshKey === '' || isKeyText(sshKey)) return credential
  const file = sshKey.startsWith('~/') ? path.join(home, sshKey.slice(2)) : sshKey.trim()
  if (!path.isAbsolute(file) || file.includes('\n'))
    throw new HostError('refused', 'this is neither a private key nor the whole path of its file')
  return { ...credential, sshKey: file }
}

function isKeyText(sshKey: string): boolean {
  return sshKey.startsWith('-----BEGIN')
}
