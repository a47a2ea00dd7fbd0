import { readFile, rename, writeFile } from 'node:fs/promises'
import { isArray, isObject, parseJson, stringifyJson, type Json } from '../model/json.ts'
import { isKubeObject, type KubeObject } from '../model/kubernetes.ts'
import { textAt } from './fill-scope.ts'
import { RehearsalError } from './rehearsal-error.ts'

/** What a rehearsal has to know of a cluster, at one moment. Secrets hold placeholders. */
export type Recording = {
  readonly context: string
  readonly server: string
  /** `v1.36.2`. */
  readonly version: string
  /** RFC 3339. */
  readonly readAt: string
  readonly application: string
  /** Namespaces that the sync touches, those too that are not there yet. */
  readonly namespaces: readonly string[]
  readonly objects: readonly KubeObject[]
  /** What could not be read, with why. */
  readonly gaps: readonly Gap[]
  /** Tells whether the placeholders can be compared: an id of the key that made them, which is not in here. */
  readonly key: string
}

export type Gap = { readonly what: string; readonly reason: string }

const FORMAT = 'plumbline-recording/1'

/** Writes whole or not at all; for its owner's eyes, though it holds no Secret's value. */
export async function writeRecording(file: string, recording: Recording): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`
  await writeFile(draft, `${stringifyJson({ format: FORMAT, ...recording })}\n`, { mode: 0o600 })
  await rename(draft, file)
}

/** @throws RehearsalError `recording` */
export async function readRecording(file: string): Promise<Recording> {
  let value: Json
  try {
    value = parseJson(await readFile(file, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : error instanceof Error ? error.message : String(error)
    throw new RehearsalError('recording', `the recording ${file} cannot be read: ${why}`, { cause: error })
  }
  if (!isObject(value) || value['format'] !== FORMAT || !isArray(value['objects'])) {
    throw new RehearsalError('recording', `${file} is not a recording of a cluster (${FORMAT})`)
  }
  const text = (key: string): string => textAt(value, key)
  const gaps = isArray(value['gaps']) ? value['gaps'].filter(isObject) : []
  return {
    context: text('context'),
    server: text('server'),
    version: text('version'),
    readAt: text('readAt'),
    application: text('application'),
    key: text('key'),
    namespaces: (isArray(value['namespaces']) ? value['namespaces'] : []).filter((name) => typeof name === 'string'),
    objects: value['objects'].filter(isKubeObject),
    gaps: gaps.map((gap) => ({ what: textAt(gap, 'what'), reason: textAt(gap, 'reason') })),
  }
}
