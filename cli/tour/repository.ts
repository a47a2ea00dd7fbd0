import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import fs from 'node:fs'
import path from 'node:path'
import { add, commit as writeCommit, init, remove } from 'isomorphic-git'

/** The tour's own small Git repository, with people and a history. */
export type TourRepository = {
  readonly folder: string
  /** Changes one text in one file and commits it. */
  edit(file: string, from: string, to: string, message: string): Promise<void>
  /** Removes a file and commits that. */
  remove(file: string, message: string): Promise<void>
}

const ADA = { name: 'Ada', email: 'ada@example.com' }
const GRACE = { name: 'Grace', email: 'grace@example.com' }

/** Makes the repository from the examples, application by application, without needing git on the machine. */
export async function makeRepository(examples: string, folder: string): Promise<TourRepository> {
  await init({ fs, dir: folder, defaultBranch: 'main' })
  let minutes = 60
  const commit = async (message: string, author: typeof ADA): Promise<void> => {
    const timestamp = Math.floor(Date.now() / 1000) - minutes * 60
    minutes = Math.max(0, minutes - 12)
    await writeCommit({ fs, dir: folder, message, author: { ...author, timestamp, timezoneOffset: 0 } })
  }
  const bring = async (names: readonly string[], message: string, author: typeof ADA): Promise<void> => {
    for (const name of names) await cp(path.join(examples, name), path.join(folder, name), { recursive: true })
    await add({ fs, dir: folder, filepath: [...names] })
    await commit(message, author)
  }
  await bring(['guestbook', 'apps/guestbook.yaml'], 'Run the guestbook', ADA)
  await bring(['shop', 'apps/shop.yaml'], 'Open the shop', ADA)
  await bring(['board', 'apps/board.yaml'], 'Put up a notice board', GRACE)
  return {
    folder,
    async edit(file, from, to, message) {
      const whole = path.join(folder, file)
      await writeFile(whole, (await readFile(whole, 'utf8')).replace(from, to))
      await add({ fs, dir: folder, filepath: file })
      await commit(message, GRACE)
    },
    async remove(file, message) {
      await rm(path.join(folder, file))
      await remove({ fs, dir: folder, filepath: file })
      await commit(message, ADA)
    },
  }
}
