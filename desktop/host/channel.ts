/** One window's way to its host: texts in both directions, whatever carries them. */
export type Channel = {
  send(text: string): void
  onText(listener: (text: string) => void): void
  /** Called once, when nothing comes any more. */
  onEnd(listener: () => void): void
  /** Ends it, saying why: whoever breaks the protocol is not listened to further. */
  end(reason: string): void
}

/** A window asks in words of a few hundred bytes; a pasted key or a manifest is the longest it ever says. */
export const LONGEST_MESSAGE_BYTES = 1024 * 1024
