/** What the program was started for. */
export type ProgramWords =
  /** A part of Plumbline that runs in a process of its own: where the fuse for plain Node is off, it is this program again. */
  | { readonly kind: 'run'; readonly file: string; readonly words: readonly string[] }
  | { readonly kind: 'window'; readonly folder: string | undefined }

export const RUN_WORD = '--plumbline-run'

/** @param words without the program's own name, and without the app's path where it is started unpackaged */
export function readProgramWords(words: readonly string[]): ProgramWords {
  const at = words.indexOf(RUN_WORD)
  const file = words[at + 1]
  if (at >= 0 && file !== undefined) return { kind: 'run', file, words: words.slice(at + 2) }
  return { kind: 'window', folder: words.find((word) => !word.startsWith('-') && !word.startsWith('plumbline:')) }
}
