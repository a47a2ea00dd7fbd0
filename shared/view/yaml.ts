import { DUMP_SCHEMA, dump, intYaml11Tag } from 'js-yaml'
import type { Json } from '../model/json.ts'

/** js-yaml quotes by YAML 1.1, 1.2 and its own older readings at once; only integers beyond 2^53 are missing. */
const SCHEMA = DUMP_SCHEMA.withTags({
  ...intYaml11Tag,
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
