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
  const { hub, platform, tell } = desk
  const { vault } = platform
  return {
    'repositories/list': async (_, options) => listed(desk, options),
    'repositories/add': async (params, options) => {
      await vault.put(checked(params))
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
  const credentials = (await platform.vault.list()).map(({ url, username, secret, sshKey }) => ({
    url,
    username,
    secret,
    keyFile: sshKey,
  }))
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

/** `token of ada, in the keychain`: everything but the secret. */
function credentialWords({ username, secret, sshKey }: Credential, { place }: Vault, home: string): string {
  const what =
    sshKey !== ''
      ? `ssh key ${sshKey.replace(`${home}${path.sep}`, '~/')}`
      : secret === ''
        ? 'none'
        : `token of ${username || 'git'}`
  return what === 'none' ? what : `${what}, kept ${place}`
}

/** @throws HostError */
function checked(credential: Credential): Credential {
  const { url, secret, sshKey } = credential
  if (/^https?:\/\/[^/]*@/.test(url))
    throw new HostError('refused', 'a user and a password belong into their own fields, not into the address')
  if (url.startsWith('http:') && secret !== '')
    throw new HostError('refused', 'over http everybody on the way could read the secret; use https')
  if (/-----BEGIN/.test(sshKey))
    throw new HostError('refused', 'name the file of the private key: the key itself stays where it is')
  if (sshKey !== '' && !path.isAbsolute(sshKey) && !sshKey.startsWith('~/'))
    throw new HostError('refused', 'the file of an ssh key is named by its whole path')
  return credential
}
