import type { ApplicationSource } from '../model/application.ts'
import type { FieldDrift, ObjectDrift } from '../model/drift.ts'
import type { ResourceId } from '../model/kubernetes.ts'
import type { ApplicationSnapshot } from '../model/status.ts'
import { fieldSentence } from './field-sentence.ts'
import { outcomeWords } from './outcome-rows.ts'
import { timeAgo } from './time.ts'
import { countOf } from './words.ts'

/** `shop.git · deploy/shop`: where an application comes from, as short as a person knows it by. */
export function sourceWords(sources: readonly ApplicationSource[]): string {
  const [first] = sources
  if (first === undefined) return 'no source'
  const what = first.chart === undefined ? first.path || '.' : `chart ${first.chart}`
  const more = sources.length > 1 ? ` and ${countOf(sources.length - 1, 'more source')}` : ''
  return `${repositoryName(first.repoURL)} · ${what}${more}`
}

/** The last part of a URL or path; `this repository` for one that stands for itself. */
export function repositoryName(url: string): string {
  if (url === '.' || url === '') return 'this repository'
  const parts = url.replace(/\/+$/, '').split(/[/:]/)
  return parts.at(-1) || url
}

/** `Succeeded: created 1, changed 2 in 12 s, 3 min ago by ada`; empty before the first operation. */
export function operationWords({ operation }: Pick<ApplicationSnapshot, 'operation'>, now: number): string {
  if (operation === undefined) return ''
  const who = operation.initiatedBy
  const by = who === undefined ? '' : ` by ${who.automated ? 'auto-sync' : who.username}`
  const when = timeAgo(operation.finishedAt || operation.startedAt, now)
  return `${outcomeWords(operation)}${when === '' ? '' : `, ${when}`}${by}`
}

/** Everything that is to be said of one object's drift, a sentence each; empty when it is in sync. */
export function driftSentences(drift: ObjectDrift, now: number): readonly string[] {
  switch (drift.state) {
    case 'synced':
      return []
    case 'changed':
      return drift.fields.map((field) => fieldSentence(field, now))
    case 'missing':
      return [drift.failure === undefined ? 'Missing, a sync creates it' : `Missing, ${drift.failure.message}`]
    case 'extra':
      return ['Extra, a sync with prune deletes it']
    case 'unknown':
      return [drift.failure?.message ?? 'its state could not be found out']
  }
}

/** `12 fields set by controllers`: what is folded away, by why it is no drift. */
export function noteWords(notes: readonly FieldDrift[]): string {
  const counts = new Map<string, number>()
  for (const { kind } of notes) {
    const words = NOTES.get(kind) ?? 'that differ'
    counts.set(words, (counts.get(words) ?? 0) + 1)
  }
  return [...counts].map(([words, count]) => `${countOf(count, 'field')} ${words}`).join(', ')
}

const NOTES: ReadonlyMap<string, string> = new Map([
  ['controller-owned', 'set by controllers'],
  ['admission-rewritten', 'rewritten by the server'],
  ['defaulted', 'filled in by the server'],
  ['ownership-only', 'with another owner'],
])

/** The command that shows an object to whoever has kubectl. Parts that a shell would read are quoted. */
export function kubectlWords({ group, kind, namespace, name }: ResourceId, context: string): string {
  const type = group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`
  const scope = namespace === '' ? '' : ` --namespace ${quoted(namespace)}`
  return `kubectl --context ${quoted(context)}${scope} get ${quoted(type)} ${quoted(name)} -o yaml`
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
