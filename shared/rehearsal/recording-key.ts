import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sha256 } from '../base/digest.ts'

const BYTES = 32

/** The key of placeholders, with an id that may be told. */
export type RecordingKey = { readonly key: Uint8Array; readonly id: string }

export function freshKey(): RecordingKey {
  return named(randomBytes(BYTES))
}

/**
 * This machine's key for recordings. It never stands in one: whoever has only the recording cannot try values against its
 * placeholders.
 */
export async function machineKey(folder: string): Promise<RecordingKey> {
  const file = path.join(folder, 'recording.key')
  try {
    return named(await readFile(file))
  } catch {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      await writeFile(file, randomBytes(BYTES), { mode: 0o600, flag: 'wx' })
    } catch {
      // Another process made it at the same moment.
    }
    return named(await readFile(file))
  }
}

function named(key: Uint8Array): RecordingKey {
  return { key, id: sha256(`recording key ${Buffer.from(key).toString('hex')}`).slice(0, 16) }
}
