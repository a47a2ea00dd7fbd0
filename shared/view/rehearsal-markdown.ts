import type { Rehearsal, RehearsedStep } from '../model/rehearsal.ts'
import { fieldName } from './field-name.ts'
import {
  effectSentence,
  faultWords,
  provenSentence,
  rehearsalSummary,
  resultMark,
  stepStage,
  unknownSentence,
} from './rehearsal-words.ts'
import { duration } from './time.ts'
import { fullLabel, shortRevision } from './words.ts'

/** For a pull request. What comes from the cluster or from Git is text, and stays text. */
export function rehearsalMarkdown(rehearsal: Rehearsal): string {
  const { application, context, passed, steps, effects, unknowns, faults, failures, revision } = rehearsal
  const place = rehearsal.place.kind === 'embedded' ? 'the embedded cluster' : plain(rehearsal.place.context)
  const simulated = rehearsal.place.kind === 'embedded' ? `, ${duration(rehearsal.simulatedMs)} of simulated time` : ''
  const told = [
    `### ${passed ? '✅' : '❌'} Rehearsal of ${code(application)} at ${code(shortRevision(revision))} for ${code(context)}`,
    `${plain(capital(rehearsalSummary(rehearsal)))}.`,
    faults.length === 0 ? '' : `Made to fail: ${faults.map((fault) => plain(faultWords(fault))).join(', ')}.`,
    failures.length < 2 ? '' : list('What fails', failures),
    effects.length === 0 ? '' : list('What it does to others', effects.map(effectSentence)),
    stepTable(steps),
    unknowns.length === 0 ? '' : list('What the rehearsal could not know', unknowns.map(unknownSentence)),
    `${capital(plain(provenSentence(rehearsal)))}. Rehearsed on ${place} in ${duration(rehearsal.tookMs)}${simulated}.`,
  ]
  return `${told.filter((part) => part !== '').join('\n\n')}\n`
}

function list(title: string, lines: readonly string[]): string {
  return `**${title}**\n${lines.map((line) => `- ${plain(line)}`).join('\n')}`
}

const MOST_ROWS = 200

function stepTable(steps: readonly RehearsedStep[]): string {
  if (steps.length === 0) return ''
  const rows = steps.slice(0, MOST_ROWS).map((step) => {
    const { result, endMs, fields, id } = step
    const detail = 'reason' in result ? result.reason : fields.map(({ path }) => fieldName(path)).join(', ')
    const cells = [
      stepStage(step),
      resultMark(result).word,
      fullLabel(id),
      endMs === undefined ? '' : duration(endMs),
      detail,
    ]
    return `| ${cells.map((cell) => plain(cell)).join(' | ')} |`
  })
  const more = steps.length > MOST_ROWS ? `\n\n${steps.length - MOST_ROWS} more steps.` : ''
  const head = '| stage | result | object | at | detail |\n|---|---|---|---|---|'
  return `<details><summary>${steps.length} ${steps.length === 1 ? 'step' : 'steps'}</summary>\n\n${head}\n${rows.join('\n')}${more}\n\n</details>`
}

/** Text that Markdown and HTML leave alone, on one line. */
function plain(text: string): string {
  const entities = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return entities.replaceAll(/[\\`*_{}[\]|#~]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ')
}

function code(text: string): string {
  return `\`${text.replaceAll(/[`\s]+/g, ' ')}\``
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
