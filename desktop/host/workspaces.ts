import { realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { SavedView, WorkspaceShown } from '../../shared/model/front.ts'
import { JsonFile } from './json-file.ts'

type Remembered = {
  readonly folder: string
  /** RFC 3339. */
  readonly openedAt: string
  /** The context that was chosen in it; empty for the kubeconfig's current one. */
  readonly context?: string
  readonly views?: readonly SavedView[]
}

const MOST = 20

/** Folders that were open, the last one first, with what was chosen in each. */
export class WorkspaceStore {
  readonly #file: JsonFile<readonly Remembered[]>
  readonly #now: () => Date

  constructor(file: string, now: () => Date = () => new Date()) {
    this.#file = new JsonFile(file, rememberedOf)
    this.#now = now
  }

  /** @param current the folder that is open in the window that asks */
  async recent(current: string): Promise<readonly WorkspaceShown[]> {
    return (await this.#file.get()).map(({ folder, openedAt }) => ({
      folder,
      name: path.basename(folder),
      current: folder === current,
      openedAt,
    }))
  }

  async find(folder: string): Promise<Remembered | undefined> {
    return (await this.#file.get()).find((one) => one.folder === folder)
  }

  async opened(folder: string): Promise<void> {
    await this.#update(folder, {})
  }

  async choose(folder: string, context: string): Promise<void> {
    await this.#update(folder, { context })
  }

  async saveViews(folder: string, views: readonly SavedView[]): Promise<void> {
    await this.#update(folder, { views })
  }

  async forget(folder: string): Promise<void> {
    await this.#file.change((all) => all.filter((one) => one.folder !== folder))
  }

  async #update(folder: string, change: Partial<Remembered>): Promise<void> {
    const openedAt = this.#now().toISOString()
    await this.#file.change((all) => {
      const before = all.find((one) => one.folder === folder)
      return [{ ...before, folder, openedAt, ...change }, ...all.filter((one) => one !== before)].slice(0, MOST)
    })
  }
}

/** The folder that a person named, as the disk knows it. @returns why it cannot be opened, where it cannot */
export async function readableFolder(
  folder: string,
): Promise<{ readonly folder: string } | { readonly problem: string }> {
  if (!path.isAbsolute(folder)) return { problem: `${folder} is not a whole path: it has to begin at the root` }
  try {
    const real = await realpath(folder)
    return (await stat(real)).isDirectory() ? { folder: real } : { problem: `${folder} is not a folder` }
  } catch {
    return { problem: `there is no folder ${folder} that you may read` }
  }
}

function rememberedOf(value: unknown): readonly Remembered[] {
  if (!Array.isArray(value)) return []
  return value.filter((one): one is Remembered => {
    const { folder, openedAt } = (one ?? {}) as Partial<Remembered>
    return typeof folder === 'string' && path.isAbsolute(folder) && typeof openedAt === 'string'
  })
}
