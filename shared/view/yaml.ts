import { DUMP_SCHEMA, NOT_RESOLVED, dump, intCoreTag, intYaml11Tag } from 'js-yaml'
import type { Json } from '../model/json.ts'

/**
 * js-yaml quotes what YAML 1.1 or 1.2 would take for something else than text, as kubectl takes both. Its integers lack
 * those beyond 2^53.
 */
const SCHEMA = DUMP_SCHEMA.withTags({
  ...intYaml11Tag,
  resolve: (source, isExplicit, tagName) => {
    const result = intYaml11Tag.resolve(source, isExplicit, tagName)
    return result === NOT_RESOLVED ? intCoreTag.resolve(source, isExplicit, tagName) : result
  },
  identify: (value) => typeof value === 'bigint' || intYaml11Tag.identify(value),
  represent: (value: unknown) => String(value),
})

/** A value as YAML that kubectl reads back to the same value: `"yes"`, `"0644"` and `"1e3"` stay text. */
export function toYaml(value: Json): string {
  return dump(value, { schema: SCHEMA, lineWidth: -1, noRefs: true, seqNoIndent: true, skipInvalid: true })
}

/** Several objects as one stream of documents. */
export function toYamlStream(values: readonly Json[]): string {
  return values.map(toYaml).join('---\n')
}
