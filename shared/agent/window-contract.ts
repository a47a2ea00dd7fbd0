import type { FolderOffer } from '../model/front.ts'
import type { RemoteCredential } from '../session/remote-credentials.ts'
import type { RemoteAnswer, RepositoryRow } from '../session/repositories.ts'
import { request } from './request.ts'

type InSession = { readonly session: string }

/** What the window asks beside what the editor asks. */
export const WINDOW_METHODS = {
  /** Folders of the repository that an application could be made of. */
  folders: request<InSession, readonly FolderOffer[]>('folder/list'),
  repositories: request<InSession, readonly RepositoryRow[]>('repository/list'),
  /** Asks a remote for its branches, and says why it would not answer. */
  testRepository: request<{ readonly url: string }, RemoteAnswer>('repository/test'),
  /** All credentials that remotes may be shown from now on; what was there before is forgotten. */
  setCredentials: request<{ readonly credentials: readonly RemoteCredential[] }, null>('credentials/set'),
  /** Trusts the keys of a text. @returns the name of its file in the keyring */
  addKeyText: request<{ readonly text: string; readonly name: string }, string>('keys/add-text'),
  /** Makes the tour's repository where there is none yet. @returns its folder */
  makeTour: request<{ readonly folder: string }, string>('tour/make'),
  /** What a person does by hand at night in the tour: more replicas, and a variable that Git knows nothing of. */
  driftTour: request<InSession, null>('tour/drift'),
} as const
