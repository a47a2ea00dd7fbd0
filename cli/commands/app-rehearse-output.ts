import { stringifyJson } from '../../shared/model/json.ts'
import { fullLabel, shortRevision } from '../../shared/view/words.ts'
import type { Rehearsal, RehearsalComparison, RehearsedStep } from '../../shared/model/rehearsal.ts'
import { rehearsalMarkdown } from '../../shared/view/rehearsal-markdown.ts'
import { offSentence, rehearsalRows, type RehearsalRow } from '../../shared/view/rehearsal-rows.ts'
import {
  effectSentence,
  faultWords,
  provenSentence,
  rehearsalSummary,
  resultMark,
  unknownSentence,
} from '../../shared/view/rehearsal-words.ts'
import { duration } from '../../shared/view/time.ts'
import { formatTable, type Column, type TableOptions } from '../format/table.ts'
import { markParts } from '../format/tables.ts'
import { print, type Io } from '../io.ts'
import { stdoutPaint, tableOptions } from '../output.ts'

export type RehearsalFormat = 'text' | 'json' | 'markdown'

export function showRehearsal(io: Io, format: RehearsalFormat, rehearsal: Rehearsal): void {
  switch (format) {
    case 'json':
      return print(io, stringifyJson(rehearsal, 2))
    case 'markdown':
      return print(io, rehearsalMarkdown(rehearsal))
    case 'text':
      return print(io, rehearsalText(rehearsal, io))
  }
}

const COLUMNS: readonly Column<RehearsalRow>[] = [
  { header: 'STAGE', cell: (row) => row.stage, least: 8 },
  { header: 'RESULT', cell: (row) => markParts(row.mark), least: 12 },
  { header: 'OBJECT', cell: (row) => row.label, least: 20 },
  { header: 'AT', cell: (row) => row.at, least: 5, align: 'right' },
  { header: 'DETAIL', cell: (row) => row.detail, least: 12 },
]

function rehearsalText(rehearsal: Rehearsal, io: Io): string {
  const { application, revision, context, fill, steps, effects, unknowns, end, faults } = rehearsal
  const options: TableOptions = tableOptions(io)
  const from = fill.kind === 'recording' ? `, filled from ${fill.file} of ${fill.readAt}` : ''
  const place = rehearsal.place.kind === 'embedded' ? 'the embedded cluster' : rehearsal.place.context
  const head = `${application} at ${shortRevision(revision)} for ${context}, rehearsed on ${place}${from}`
  const broken = faults.map((fault) => `made to fail: ${faultWords(fault)}`)
  const table = steps.length === 0 ? '' : formatTable(COLUMNS, rehearsalRows(rehearsal), options)
  const blocks = [
    [head, ...broken].join('\n'),
    table.trimEnd(),
    block('What it does to others:', effects.map(effectSentence)),
    block('Not as Git wants it at the end:', end.off.map(offSentence)),
    block('What the rehearsal could not know:', unknowns.map(unknownSentence)),
    [`${provenSentence(rehearsal)}.`, verdict(rehearsal, io)].join('\n'),
  ]
  return blocks.filter((text) => text !== '').join('\n\n')
}

function verdict(rehearsal: Rehearsal, io: Io): string {
  const paint = stdoutPaint(io)
  const glyph = rehearsal.passed ? paint('green', '✓') : paint('red', '✗')
  const simulated =
    rehearsal.place.kind === 'embedded' ? `${duration(rehearsal.simulatedMs)} of simulated time in ` : ''
  const took = `${simulated}${duration(rehearsal.tookMs)}`
  return `${glyph} ${rehearsal.application} ${rehearsalSummary(rehearsal)} (${took})`
}

function block(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines.map((line) => `  - ${line}`)].join('\n')
}

/** What two rehearsals do not have in common; `one` and `other` are what they are of. */
export function showComparison(
  io: Io,
  format: RehearsalFormat,
  comparison: RehearsalComparison,
  names: { readonly one: string; readonly other: string },
): void {
  if (format === 'json') return print(io, stringifyJson({ ...names, ...comparison }, 2))
  const { steps, effects, passed } = comparison
  const same = steps.length + effects.one.length + effects.other.length === 0 && passed.one === passed.other
  if (same) return print(io, `${names.one} and ${names.other} do the same`)
  print(
    io,
    [
      `${verdictWords(names.one, passed.one)}, ${verdictWords(names.other, passed.other)}`,
      block(
        'Steps that differ:',
        steps.map(
          ({ id, one, other }) =>
            `${fullLabel(id)}: ${resultWord(one)} with ${names.one}, ${resultWord(other)} with ${names.other}`,
        ),
      ),
      block(`Only ${names.one}:`, effects.one.map(effectSentence)),
      block(`Only ${names.other}:`, effects.other.map(effectSentence)),
    ]
      .filter((text) => text !== '')
      .join('\n\n'),
  )
}

function verdictWords(name: string, passed: boolean): string {
  return `${name} would ${passed ? 'succeed' : 'fail'}`
}

function resultWord(step: RehearsedStep | undefined): string {
  return step === undefined ? 'no step' : resultMark(step.result).word
}
