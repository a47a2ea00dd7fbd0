import { catalogueOf } from '../fields/openapi-schema.ts'
import type { SchemaCatalogue } from '../fields/schema.ts'
import document from './openapi-v2-definitions-v1.36.json' with { type: 'json' }
import goFields from './go-fields-v1.36.json' with { type: 'json' }

let catalogue: SchemaCatalogue | undefined

/** The types of the kinds that kube-apiserver v1.36 has built in; see README.md for where they come from. */
export function builtInCatalogue(): SchemaCatalogue {
  catalogue ??= catalogueOf(document.definitions, goFields)
  return catalogue
}
