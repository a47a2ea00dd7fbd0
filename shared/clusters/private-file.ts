import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/** Writes a file that its owner alone may read, whole or not at all; its folder is made where it is missing. */
export async function writePrivately(file: string, text: string | Uint8Array, mode = 0o600): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const own = `${file}.${randomUUID().slice(0, 8)}.tmp`
  try {
    const handle = await open(own, 'wx', mode)
    try {
      await handle.writeFile(text)
      // A crash of the machine after the rename must not leave an empty file.
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(own, file)
  } catch (error) {
    await rm(own, { force: true })
    throw error
  }
}
