import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import type { JsonObject } from '../model/json.ts'

/** Some servers serve hundreds of definitions; older documents than these many are let go. */
const maxFiles = 256

/** The user's cache folder for schemas, as each system names it. */
export function defaultSchemaFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const base =
    process.platform === 'win32'
      ? (env['LOCALAPPDATA'] ?? path.join(homedir(), 'AppData', 'Local'))
      : process.platform === 'darwin'
        ? path.join(homedir(), 'Library', 'Caches')
        : env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache')
  return path.join(base, 'plumbline', 'openapi')
}

/** Schema documents between runs, by the hash in their URL: a file is right for ever or not there. */
export class SchemaFiles {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  async read(url: string): Promise<JsonObject | undefined> {
    try {
      return JSON.parse(await readFile(this.fileOf(url), 'utf8')) as JsonObject
    } catch {
      // Absent or cut off: the server has it.
      return undefined
    }
  }

  /** A cache that cannot be written is no cache; the run goes on. */
  async write(url: string, definitions: JsonObject): Promise<void> {
    const file = this.fileOf(url)
    const draft = `${file}.${randomUUID()}`
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 })
      await writeFile(draft, JSON.stringify(definitions))
      await rename(draft, file)
      await this.prune()
    } catch {
      await rm(draft, { force: true }).catch(() => undefined)
    }
  }

  private async prune(): Promise<void> {
    const names = await readdir(this.folder)
    if (names.length <= maxFiles) return
    const aged = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(path.join(this.folder, name))).mtimeMs })),
    )
    const oldest = aged.sort((a, b) => a.at - b.at).slice(0, names.length - maxFiles)
    await Promise.all(oldest.map(({ name }) => rm(path.join(this.folder, name), { force: true })))
  }

  private fileOf(url: string): string {
    return path.join(this.folder, `${createHash('sha256').update(url).digest('hex')}.json`)
  }
}
