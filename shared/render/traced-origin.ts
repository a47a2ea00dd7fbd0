import { valueAt } from '../model/json.ts'
import type { Json } from '../model/json.ts'
import type { Origin, Position } from '../model/manifest.ts'
import { textAt } from './text-at.ts'
import type { YamlDocument } from './yaml/read.ts'

/** Where an object that a tool wrote came from, and the document that it was made of, where there is one. */
export type TracedOrigin = { readonly origin: Origin; readonly source?: YamlDocument }

export function originAt(file: string, document: number, start: Position): TracedOrigin {
  return { origin: { file, document, start, exact: false } }
}

export function originOf(file: string, source: YamlDocument): TracedOrigin {
  return { ...originAt(file, source.index, source.start), source }
}

/** The document of the same kind and name; prefixes, suffixes and hashes make names longer. */
export function documentOf(documents: readonly YamlDocument[], object: Json): YamlDocument | undefined {
  const kind = valueAt(object, ['kind'])
  const same = documents.filter(({ value }) => valueAt(value, ['kind']) === kind)
  if (same.length < 2) return same[0]
  const name = nameOf(object)
  const exact = same.find(({ value }) => nameOf(value) === name)
  if (exact !== undefined) return exact
  const part = same.filter(({ value }) => nameOf(value) !== '' && name.includes(nameOf(value)))
  return part.sort((a, b) => nameOf(b.value).length - nameOf(a.value).length)[0]
}

export function nameOf(object: Json): string {
  return textAt(object, ['metadata', 'name'])
}
