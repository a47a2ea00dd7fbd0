import { badRequest } from '../errors.ts'
import { isObject } from '../object.ts'
import { guarded } from '../patch/patch-error.ts'
import { bodyText } from './body.ts'
import { duplicateKeys } from './duplicate-keys.ts'
import { goSyntaxError } from './go-json.ts'
import type { FieldValidation } from './options.ts'
import type { ResourceRequest } from './server-context.ts'

export type DocumentPatchKind = 'json' | 'merge' | 'strategic'

/** A patch that is not an apply, as it was sent. */
export interface PatchBody {
  readonly value: unknown
  /** What strict decoding finds in the patch itself: fields that stand twice, operations with fields of no meaning. */
  readonly strict: readonly string[]
}

/**
 * Reads a patch (apiserver `endpoints/handlers/patch.go`, where only a patch that is validated is decoded by itself).
 *
 * @throws StatusError 400
 */
export function readPatch(rr: ResourceRequest, kind: DocumentPatchKind, how: FieldValidation): PatchBody {
  const text = bodyText(rr.request.body)
  if (text === undefined) return { value: rr.request.body, strict: [] }
  const value = parsed(text, kind, how)
  if (how === 'Ignore') return { value, strict: [] }
  const duplicates = guarded(() => duplicateKeys(text), kind === 'strategic' ? '' : undefined)
  if (kind !== 'json') return { value, strict: duplicates }
  return { value, strict: [...duplicates, ...strangeFields(value)].map((problem) => `json patch ${problem}`) }
}

function parsed(text: string, kind: DocumentPatchKind, how: FieldValidation): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const problem = goSyntaxError(text) ?? 'invalid JSON'
    if (kind === 'strategic') throw badRequest(problem)
    if (how !== 'Ignore') throw badRequest(`error decoding patch: ${problem}`)
    throw badRequest(kind === 'merge' ? 'Invalid JSON Patch' : problem)
  }
}

const operationFields: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value'])

function strangeFields(operations: unknown): string[] {
  if (!Array.isArray(operations)) return []
  return operations.flatMap((operation: unknown, index) =>
    isObject(operation)
      ? Object.keys(operation)
          .filter((key) => !operationFields.has(key))
          .map((key) => `unknown field "[${index}].${key}"`)
      : [],
  )
}
