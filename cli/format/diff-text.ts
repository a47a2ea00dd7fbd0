import type { DiffLine, ObjectDiff } from '../../shared/view/object-diff.ts'
import type { Paint } from './colour.ts'
import { harmless, onOneLine } from './text-width.ts'

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { context: ' ', add: '+', remove: '-' }

/** Objects as one unified diff, from the cluster to Git. Lines are never cut, so that the text stays a diff. */
export function diffText(diffs: readonly ObjectDiff[], paint: Paint): string {
  return diffs
    .filter(({ hunks }) => hunks.length > 0)
    .map((diff) => objectText(diff, paint))
    .join('\n')
}

function objectText({ title, source, state, hunks, folded }: ObjectDiff, paint: Paint): string {
  const before = state === 'missing' ? '/dev/null' : `${title} (cluster)`
  const after = state === 'extra' ? '/dev/null' : `${title} (${source === '' ? 'Git' : source})`
  const lines = [paint('bold', `--- ${onOneLine(before)}`), paint('bold', `+++ ${onOneLine(after)}`)]
  for (const hunk of hunks) {
    const range = `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`
    lines.push(`${paint('blue', range)}${hunk.header === '' ? '' : ` ${paint('dim', onOneLine(hunk.header))}`}`)
    for (const line of hunk.lines) lines.push(lineText(line, paint))
  }
  if (folded > 0) lines.push(paint('dim', `# ${folded} more ${folded === 1 ? 'field' : 'fields'} set by controllers`))
  return `${lines.join('\n')}\n`
}

function lineText({ kind, text }: DiffLine, paint: Paint): string {
  const line = `${SIGNS[kind]}${harmless(text)}`
  if (kind === 'context') return line
  return paint(kind === 'add' ? 'green' : 'red', line)
}
