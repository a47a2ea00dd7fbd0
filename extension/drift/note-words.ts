import type { FieldValue } from '../../shared/model/drift.ts'
import { DRIFT_MARKS, HEALTH_MARKS } from '../../shared/view/marks.ts'
import { HIDDEN } from '../../shared/view/hidden.ts'
import { shortValue } from '../../shared/view/field-value.ts'
import { fullLabel } from '../../shared/view/words.ts'
import type { Note } from './notes.ts'

/**
 * What is known of one note besides its sentence, which the editor shows itself: both values, who set it and when.
 * @param actions links as Markdown; they stand where they are seen without scrolling
 */
export function noteMarkdown({ resource, field, application }: Note, actions: string): string {
  const lines: string[] = []
  if (field !== undefined) {
    lines.push(`| | |`, '|---|---|', `| Git | ${cell(field.desired)} |`, `| cluster | ${cell(field.live)} |`, '')
  }
  lines.push(actions, '')
  if (field?.blame !== undefined) {
    const { manager, operation, subresource, time } = field.blame
    const through = subresource === '' ? '' : ` through \`/${subresource}\``
    lines.push(`${operation === 'Apply' ? 'Applied' : 'Set'} by field manager \`${manager}\`${through}, ${time}`, '')
  }
  if (resource !== undefined) {
    const path = field === undefined ? '' : ` \`${field.path}\``
    lines.push(`${escape(fullLabel(resource.id))}${path}, application ${escape(application)}`)
  }
  return lines.join('\n')
}

/** What a document's lens says: `⚠ 2 drifted · ♥ Healthy`. */
export function lensTitle(notes: readonly Note[], resource: Note['resource']): string {
  if (resource === undefined) return ''
  const { drift, health } = resource
  const mark = DRIFT_MARKS[drift.state]
  const count = notes.filter(({ field }) => field !== undefined).length
  const state = drift.state === 'changed' ? `${mark.glyph} ${count} drifted` : `${mark.glyph} ${mark.word}`
  if (health === undefined || health.status === 'Missing') return state
  const heart = HEALTH_MARKS[health.status]
  return `${state} · ${heart.glyph} ${heart.word}`
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
