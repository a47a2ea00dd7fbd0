import { realpath } from 'node:fs/promises'
import path from 'node:path'

/** A file below a folder, as the disk knows both; undefined where it is not there, or a link leads out. */
export async function fileBelow(root: string, file: string): Promise<string | undefined> {
  try {
    const folder = await realpath(root)
    const found = await realpath(path.resolve(folder, file))
    return found.startsWith(folder + path.sep) ? found : undefined
  } catch {
    return undefined
  }
}
