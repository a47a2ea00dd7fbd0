/** The part of JSON Schema (draft 7) that `schemas/argo-cd.json` uses. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly string[]
  readonly examples?: readonly string[]
  readonly minimum?: number
  readonly maxLength?: number
  readonly definitions?: Readonly<Record<string, Schema>>
}

/** The schema of one kind; undefined where there is none. */
export function schemaOfKind(root: Schema, kind: string): Schema | undefined {
  const known = root.definitions?.[kind]
  // Parts of kinds are definitions too; they are written in lower case.
  return /^[A-Z]/.test(kind) ? known : undefined
}

export function resolved(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.replace('#/definitions/', '')
  return name === undefined ? schema : (root.definitions?.[name] ?? {})
}

/** What may stand at a path below a schema; undefined where nothing is known of it. */
export function schemaAt(schema: Schema, root: Schema, path: readonly (string | number)[]): Schema | undefined {
  let here: Schema | undefined = resolved(schema, root)
  for (const step of path) {
    let next: Schema | undefined
    if (typeof step === 'number') next = here.items
    else {
      const { additionalProperties: more } = here
      next = here.properties?.[step] ?? (typeof more === 'object' ? more : undefined)
    }
    if (next === undefined) return undefined
    here = resolved(next, root)
  }
  return here
}
