import type { FieldSet } from '../../fields/field-set.ts'
import type { Schema } from '../../fields/schema.ts'
import { validateTyped } from '../../fields/validate.ts'
import type { JsonObject } from '../object.ts'

/** An object with the type that it has in its version. */
export interface Typed {
  readonly value: JsonObject
  readonly schema: Schema
}

/**
 * The object in another version of its kind, or undefined where the server no longer knows that version: what is owned under it is
 * dropped then. Must not change its argument, and must bear an object from which any fields were cut.
 */
export type Convert = (object: JsonObject, toVersion: string) => Typed | undefined

/** The version a request speaks, and how to reach the others. */
export interface VersionContext {
  readonly apiVersion: string
  readonly schema: Schema
  readonly convert: Convert | undefined
  /** What a write through this endpoint never owns, with everything below it. */
  readonly resetFields: FieldSet | undefined
}

/**
 * The object, which is in the request's version, as another version has it.
 * @throws TypedError where the converted object does not fit its type; duplicates count, as they do in the server
 */
export function inVersion(context: VersionContext, object: JsonObject, apiVersion: string): Typed | undefined {
  if (apiVersion === context.apiVersion) return { value: object, schema: context.schema }
  const typed = context.convert?.(object, apiVersion)
  if (typed !== undefined) validateTyped(typed.value, typed.schema)
  return typed
}

/** An object of another version, back in the request's. */
export function backFrom(context: VersionContext, typed: Typed, apiVersion: string): Typed | undefined {
  if (apiVersion === context.apiVersion) return typed
  const back = context.convert?.(typed.value, context.apiVersion)
  if (back !== undefined) validateTyped(back.value, back.schema)
  return back
}

/** A set without what the endpoint resets. */
export function withoutReset(context: VersionContext, set: FieldSet): FieldSet {
  return context.resetFields === undefined ? set : set.recursiveDifference(context.resetFields)
}
