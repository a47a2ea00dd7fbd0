import type { FieldValue } from '../../shared/model/drift.ts'
import { DRIFT_MARKS, HEALTH_MARKS } from '../../shared/view/marks.ts'
import { HIDDEN } from '../../shared/view/hidden.ts'
import { blameWords } from '../../shared/view/field-sentence.ts'
import { shortValue } from '../../shared/view/field-value.ts'
import { fullLabel } from '../../shared/view/words.ts'
import type { Note } from './notes.ts'

/** A command that a hover or lens offers: its title, its id and what it is called with. */
export type Offer = { readonly title: string; readonly command: string; readonly arguments: readonly unknown[] }

/** The whole story of one note as Markdown: the sentence, both values, who and when. Commands are added by the caller. */
export function noteMarkdown(note: Note, now: number): string {
  const { resource, field } = note
  const lines = [`**${escape(note.message)}**`]
  if (field !== undefined) {
    lines.push('', '| Git | cluster |', '|---|---|', `| ${cell(field.desired)} | ${cell(field.live)} |`)
    if (field.blame !== undefined) {
      const { manager, operation, time } = field.blame
      const who = blameWords(field.blame, field.kind === 'removed', now)
      lines.push('', `${escape(who)} (${operation.toLowerCase()} by field manager \`${manager}\`, ${time})`)
    }
    lines.push('', `\`${field.path}\``)
  }
  if (resource !== undefined)
    lines.push('', `${escape(fullLabel(resource.id))} of application ${escape(note.application)}`)
  return lines.join('\n')
}

/** What a document's lens says: `⚠ 2 drifted · ♥ Healthy`. */
export function lensTitle(notes: readonly Note[], resource: Note['resource']): string {
  if (resource === undefined) return ''
  const { drift, health } = resource
  const mark = DRIFT_MARKS[drift.state]
  const count = notes.filter(({ field }) => field !== undefined).length
  const state = drift.state === 'changed' ? `$(${mark.codicon}) ${count} drifted` : `$(${mark.codicon}) ${mark.word}`
  if (health === undefined || health.status === 'Missing') return state
  const heart = HEALTH_MARKS[health.status]
  return `${state} · $(${heart.codicon}) ${heart.word}`
}

function cell(value: FieldValue): string {
  switch (value.kind) {
    case 'absent':
      return '_not there_'
    case 'hidden':
      return `${HIDDEN} (hidden)`
    case 'value':
      return `\`${shortValue(value.value).replaceAll('|', '\\|').replaceAll('`', "'")}\``
  }
}

/** Text that Markdown takes as it is. */
function escape(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+!|<>~]/g, '\\$&')
}
