import { shortSha } from '../shared/view/words.ts'

/** A sentence of Argo CD's with its shas cut to what a line has room for. */
export function withShortShas(text: string): string {
  return text.replaceAll(/\b[0-9a-f]{40}\b/g, shortSha)
}

/** The cause at the end of such a sentence (`... revision X by 'Y': cause`), for a line that would cut it off. */
export function causeOf(text: string): string {
  const at = text.lastIndexOf("': ")
  return withShortShas(at < 0 ? text : text.slice(at + 3))
}
