/** The set of fields of a `managedFields` entry in its wire form (SMD `fieldpath/serialize.go`). */
export type FieldsV1 = { readonly [key: string]: FieldsV1 }
