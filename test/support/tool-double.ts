import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A folder to be first on PATH, with doubles of tools that are not what they are called. */
export type DoubleFolder = { readonly folder: string; readonly path: string }

/** Makes a double of a tool out of one of this project's scripts. */
export function toolDouble(parent: string, tool: string, script: string): DoubleFolder {
  const folder = path.join(parent, 'bin')
  mkdirSync(folder, { recursive: true })
  const file = path.resolve(import.meta.dirname, script)
  writeFileSync(path.join(folder, tool), `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n`, { mode: 0o755 })
  return { folder, path: `${folder}${path.delimiter}/usr/bin${path.delimiter}/bin` }
}

/** Puts the real tool beside the doubles. */
export function realTool({ folder }: DoubleFolder, tool: string, file: string): void {
  symlinkSync(file, path.join(folder, tool))
}

/** What a double was called with, in order. */
export function callsOf(folder: string): readonly (readonly string[])[] {
  const file = path.join(folder, 'calls.jsonl')
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as readonly string[])
}
