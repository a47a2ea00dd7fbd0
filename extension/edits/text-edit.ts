/** One replacement in a text; lines and columns count from 0, `end` is behind the last character. */
export type TextChange = {
  readonly start: { readonly line: number; readonly character: number }
  readonly end: { readonly line: number; readonly character: number }
  readonly text: string
}
