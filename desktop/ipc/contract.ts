/**
 * What crosses between the page and the main process: one channel a direction for the host's messages, whose content
 * `shared/view/host.ts` types and checks, and what only a preload knows. Nothing else is listened to.
 */
export type ToMain = {
  /** The page was loaded, or loaded anew: whatever an earlier one asked has no asker any more. */
  readonly 'plumbline:begin': []
  readonly 'plumbline:text': [text: string]
  /** A folder of the disk was dropped into the window by a person. */
  readonly 'plumbline:dropped': [path: string]
}

export type ToPage = {
  readonly 'plumbline:answer': [text: string]
}

/** What the preload puts into the page's world, and all of it. */
export type PagePort = {
  send(text: string): void
  onMessage(listener: (text: string) => void): void
}

export const PAGE_PORT = 'plumbline'
