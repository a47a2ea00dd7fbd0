import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sha256 } from '../base/digest.ts'
import { isObject, parseJson, stringifyJson } from '../model/json.ts'
import { REHEARSAL_FORMAT, type Rehearsal } from '../model/rehearsal.ts'
import { RehearsalError } from './rehearsal-error.ts'

/** More are forgotten, the oldest first. */
const MOST_KEPT = 50

export type Kept = { readonly id: string; readonly rehearsal: Rehearsal }

/** Rehearsals on this machine, newest first: what fronts list, and what allows a sync that needs one. */
export class RehearsalArchive {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @returns the id that it is kept under */
  async keep(rehearsal: Rehearsal): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const text = stringifyJson(rehearsal)
    const id = `${Date.parse(rehearsal.rehearsedAt)}-${sha256(text).slice(0, 8)}`
    const draft = path.join(this.#folder, `${id}.${process.pid}.tmp`)
    await writeFile(draft, `${text}\n`, { mode: 0o600 })
    await rename(draft, path.join(this.#folder, `${id}.json`))
    for (const old of (await this.#ids()).slice(MOST_KEPT)) await rm(this.#file(old), { force: true })
    return id
  }

  async list(): Promise<readonly Kept[]> {
    const all = await Promise.all((await this.#ids()).map(async (id) => ({ id, rehearsal: await this.#read(id) })))
    return all.flatMap(({ id, rehearsal }) => (rehearsal === undefined ? [] : [{ id, rehearsal }]))
  }

  /**
   * The rehearsal that allows a plan: of exactly this plan, passed, with nothing made to fail.
   * @throws RehearsalError `not-rehearsed`, `did-not-pass` or `moved`, saying which
   */
  async approval(application: string, plan: string): Promise<Kept> {
    const kept = (await this.list()).filter(({ rehearsal }) => rehearsal.application === application)
    const honest = kept.filter(({ rehearsal }) => rehearsal.faults.length === 0 && rehearsal.plan !== '')
    const same = honest.find(({ rehearsal }) => rehearsal.plan === plan)
    const next = `\`plumbline app rehearse ${application}\` with the same options rehearses it`
    if (same?.rehearsal.passed === true) return same
    if (same !== undefined) {
      const why = same.rehearsal.failures[0] ?? 'it failed'
      throw new RehearsalError('did-not-pass', `the rehearsal of this plan did not pass: ${why}`)
    }
    const last = honest.find(({ rehearsal }) => rehearsal.passed)
    if (last === undefined) {
      throw new RehearsalError('not-rehearsed', `this plan of ${application} was not rehearsed`, { next })
    }
    const { rehearsedAt, revision } = last.rehearsal
    const of = revision.sha === '' ? revision.name : revision.sha.slice(0, 7)
    const message = `the plan has moved since it was rehearsed (${of}, ${rehearsedAt})`
    throw new RehearsalError('moved', message, { next })
  }

  async #ids(): Promise<readonly string[]> {
    try {
      const names = await readdir(this.#folder)
      const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length))
      return ids.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10) || (a < b ? 1 : -1))
    } catch {
      // Nothing was ever kept.
      return []
    }
  }

  /** Undefined for what another version wrote, or what somebody broke. */
  async #read(id: string): Promise<Rehearsal | undefined> {
    try {
      const value = parseJson(await readFile(this.#file(id), 'utf8'))
      return isObject(value) && value['format'] === REHEARSAL_FORMAT ? (value as unknown as Rehearsal) : undefined
    } catch {
      return undefined
    }
  }

  #file(id: string): string {
    return path.join(this.#folder, `${id}.json`)
  }
}
