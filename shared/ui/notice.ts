import { HostError } from './message-host.ts'

export type Notice = {
  readonly severity: 'info' | 'warning' | 'error'
  readonly text: string
  /** What the notice offers: `Undo`. */
  readonly action?: { readonly title: string; readonly act: () => void }
}

/** Tells the person something in the corner of whichever page this element is in. */
export function notify(from: EventTarget, notice: Notice): void {
  from.dispatchEvent(new CustomEvent<Notice>('plumbline-notice', { detail: notice, bubbles: true, composed: true }))
}

/** What failed, in the front's words; nothing where the person cancelled. */
export function notifyError(from: EventTarget, error: unknown, what: string): void {
  if (HostError.is(error, 'cancelled')) return
  const why = error instanceof Error ? error.message : String(error)
  notify(from, { severity: 'error', text: `${what}: ${why}` })
}
