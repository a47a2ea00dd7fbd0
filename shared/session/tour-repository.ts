import { existsSync } from 'node:fs'
import fs from 'node:fs'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { add, commit as writeCommit, init, remove } from 'isomorphic-git'
import type { Cluster } from '../kube/cluster.ts'
import { stringifyJson, type Json } from '../model/json.ts'
import type { Cancellable } from '../model/ports.ts'

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

/** The examples beside the sources, or beside the built programs. @returns undefined where they were not shipped */
export function tourExamples(): string | undefined {
  const above = ['examples/tour', '../examples/tour', '../../examples/tour']
  return above.map((up) => path.resolve(import.meta.dirname, up)).find((folder) => existsSync(folder))
}

/** Makes the repository from the examples, application by application, without needing git on the machine. */
export async function makeTourRepository(examples: string, folder: string): Promise<TourRepository> {
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

/** What a person with kubectl does at night: more replicas, and a variable that Git knows nothing of. @throws ClusterError */
export async function driftByHand(cluster: Cluster, options: Cancellable): Promise<void> {
  const patch = async (manager: string, body: Json): Promise<void> => {
    const path = `/apis/apps/v1/namespaces/shop/deployments/shop?fieldManager=${manager}`
    const contentType = 'application/strategic-merge-patch+json'
    await cluster.send({ method: 'PATCH', path, body: stringifyJson(body), contentType }, options)
  }
  await patch('kubectl-edit', { spec: { replicas: 4 } })
  const containers = [{ name: 'shop', env: [{ name: 'DEBUG', value: '1' }] }]
  await patch('night-shift', { spec: { template: { spec: { containers } } } })
}
