import { shortSha } from '../shared/view/words.ts'

/** A sentence of Argo CD's with its shas cut to what a line has room for. */
export function withShortShas(text: string): string {
  return text.replaceAll(/\b[0-9a-f]{40}\b/g, shortSha)
}
