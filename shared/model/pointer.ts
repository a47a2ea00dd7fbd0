/** Keys and indices from an object's root to a place in it. */
export type Path = readonly (string | number)[]

/** The path as a JSON pointer (RFC 6901). */
export function toPointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The steps of a JSON pointer; all are strings, an index is told from a key by what it meets. */
export function fromPointer(pointer: string): readonly string[] {
  if (pointer === '') return []
  return pointer
    .replace(/^\//, '')
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}
