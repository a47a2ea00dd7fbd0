import type { ClusterEvent } from '../../model/cluster.ts'

/** kind's status lines where there is no terminal (its `pkg/internal/cli/status.go`): begun, done, failed. */
const STATUS = /^ ([•✓✗]) (.*?)(?:\s+\.\.\.)?\s*$/u
const STATES = { '•': 'running', '✓': 'done', '✗': 'failed' } as const
/** Pictures at the end of a line, one for each node. */
const PICTURES = /[\s\p{Extended_Pictographic}\uFE0F\u200D]+$/u

/** What a line of `kind create cluster` tells; the line itself where it tells no step. */
export function kindEvent(line: string): ClusterEvent | undefined {
  const [, mark, text = ''] = STATUS.exec(line) ?? []
  const title = text.replace(PICTURES, '')
  // `• Ready after 16s` is said once and never ends.
  if (mark === '•' && title.startsWith('Ready after')) return { kind: 'line', text: title }
  if (mark === undefined || title === '') return line.trim() === '' ? undefined : { kind: 'line', text: line.trim() }
  return { kind: 'step', title, state: STATES[mark as keyof typeof STATES] }
}

/** Why kind gave up, in its own words: the `ERROR:` line, and what the command that failed said last. */
export function kindFailure(lines: readonly string[]): { readonly message: string } {
  const at = lines.findIndex((line) => line.startsWith('ERROR:'))
  if (at < 0) return { message: lines.filter((line) => line.trim() !== '').at(-1) ?? 'it gave no reason' }
  const error = (lines[at] ?? '').replace(/^ERROR:\s*/, '')
  const output = lines
    .slice(at + 1)
    .map((line) => line.replace(/^Command Output:\s*/, '').trim())
    // A whole `docker info` in JSON says nothing to a person.
    .filter((line) => line !== '' && !line.startsWith('{') && !/^Stack Trace:|^\S+\.\S+$|^\t/.test(line))
  const last = output.at(-1)
  return { message: last === undefined || error.includes(last) ? error : `${error}\n${last}` }
}
