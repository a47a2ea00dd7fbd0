import { readFileSync } from 'node:fs'
import path from 'node:path'

const folder = path.resolve(import.meta.dirname, '../fixtures/tool-transcripts')

/** What a real tool once printed; `source` says where that can be read, `made` that it was put together by its documented format. */
export type Transcript = {
  readonly source: string
  readonly stdout: string
  readonly stderr: string
  readonly code: number
}

/** Parts of a transcript file begin with `==> NAME`: source, stdout, stderr, code. */
export function transcript(name: string): Transcript {
  const parts = new Map<string, string>()
  let current = ''
  for (const line of readFileSync(path.join(folder, `${name}.txt`), 'utf8').split(/(?<=\n)/)) {
    const part = /^==> (source|stdout|stderr|code)\n$/.exec(line)?.[1]
    if (part === undefined) parts.set(current, (parts.get(current) ?? '') + line)
    else current = part
  }
  const text = (part: string): string => parts.get(part) ?? ''
  if (text('source').trim() === '') throw new Error(`transcript ${name} does not say where it comes from`)
  return {
    source: text('source').trim(),
    stdout: text('stdout'),
    stderr: text('stderr'),
    code: Number(text('code').trim() || '0'),
  }
}
