import { schemaOf } from './openapi-schema.ts'
import { deducedSchema, draftSchema } from './schema.ts'
import type { FieldSchema, Schema } from './schema.ts'
import { isMap } from './value.ts'

function field(schema: Schema): FieldSchema {
  return { schema, default: undefined, empty: undefined, patchStrategies: [], patchMergeKey: undefined }
}

/**
 * The type of a custom resource from its version's `openAPIV3Schema` (apiextensions, openapi/builder): the document's fields plus
 * apiVersion, kind and metadata, whose type `objectMeta` comes from the built-in catalogue. Without a document any field goes.
 */
export function crdSchema(
  openAPIV3Schema: unknown,
  options: { readonly objectMeta: Schema; readonly preserveUnknownFields?: boolean },
): Schema {
  if (!isMap(openAPIV3Schema)) return { ...draftSchema(''), map: deducedSchema.map }
  const text = { ...draftSchema(''), scalar: 'string' as const }
  return schemaOf(openAPIV3Schema, {
    preserveUnknownFields: options.preserveUnknownFields ?? false,
    typeFields: new Map([
      ['apiVersion', field(text)],
      ['kind', field(text)],
      ['metadata', field(options.objectMeta)],
    ]),
  })
}
