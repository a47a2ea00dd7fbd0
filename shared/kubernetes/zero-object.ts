import { builtInCatalogue } from './built-in.ts'
import goFields from './go-fields-v1.36.json' with { type: 'json' }

type Letters = Readonly<Record<string, string>>

const letters: Readonly<Record<string, Letters>> = goFields.fields

/**
 * What Go writes for an API type nobody has filled in: the fields that are always there. An update that creates is compared with
 * it, so that nobody comes to own what is always there. A kind that is not built in has nothing.
 */
export function zeroObject(apiVersion: string, kind: string): Record<string, unknown> {
  const slash = apiVersion.indexOf('/')
  const schema = builtInCatalogue().schemaFor(
    slash < 0 ? '' : apiVersion.slice(0, slash),
    apiVersion.slice(slash + 1),
    kind,
  )
  return { apiVersion, kind, ...(schema === undefined ? {} : zeroOf(schema.name)) }
}

function zeroOf(definition: string): Record<string, unknown> {
  const zero: Record<string, unknown> = {}
  for (const [letter, names] of Object.entries(letters[definition] ?? {})) {
    if (!Object.hasOwn(zeros, letter)) continue
    for (const name of names.split(' ')) zero[name] = letter === 'o' ? structOf(definition, name) : zeros[letter]
  }
  return zero
}

const zeros: Readonly<Record<string, unknown>> = { o: {}, n: null, s: '', d: 0, b: false }

function structOf(definition: string, field: string): Record<string, unknown> {
  const schema = builtInCatalogue().definition(definition)?.map?.fields.get(field)?.schema
  return schema === undefined ? {} : zeroOf(schema.name)
}
