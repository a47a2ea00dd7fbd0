import type { ApplicationSummary } from '../../shared/model/front.ts'

export type Notice = { readonly title: string; readonly body: string; readonly route: string }

/** What the tray tells, and what is worth a notification: an application that was well and is no more. */
export class DriftNews {
  #before = new Map<string, ApplicationSummary>()

  /** Takes the list as it is now. @returns what is worth telling since the last time */
  take(all: readonly ApplicationSummary[]): readonly Notice[] {
    const notices = all.flatMap((summary) => {
      const before = this.#before.get(summary.name)
      return before === undefined || before.context !== summary.context ? [] : noticeOf(before, summary)
    })
    this.#before = new Map(all.map((summary) => [summary.name, summary]))
    return notices
  }

  get drifted(): number {
    return [...this.#before.values()].filter(({ sync }) => sync === 'OutOfSync').length
  }

  get broken(): number {
    return [...this.#before.values()].filter(({ health }) => health.status === 'Degraded').length
  }

  get total(): number {
    return this.#before.size
  }
}

function noticeOf(before: ApplicationSummary, now: ApplicationSummary): readonly Notice[] {
  const route = `#/applications/${now.name}`
  if (before.health.status !== 'Degraded' && now.health.status === 'Degraded') {
    return [{ title: `${now.name} is Degraded`, body: now.health.message ?? `on ${now.context}`, route }]
  }
  // A new commit that waits for its sync is no drift.
  const isSame = before.revision?.sha === now.revision?.sha
  if (before.sync !== 'Synced' || now.sync !== 'OutOfSync' || !isSame) return []
  return [{ title: `${now.name} drifted`, body: `${countsOf(now)} on ${now.context}`, route: `${route}/diff` }]
}

function countsOf({ counts }: ApplicationSummary): string {
  const parts = [
    [counts.drifted, 'drifted'],
    [counts.missing, 'missing'],
    [counts.extra, 'extra'],
  ] as const
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ')
}
