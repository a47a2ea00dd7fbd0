import type { Place } from '../model/manifest.ts'

/** Why a render gave nothing. */
export type RenderReason =
  | 'broken-yaml'
  | 'bad-encoding'
  | 'duplicate-key'
  | 'alias-bomb'
  | 'too-deep'
  | 'too-large'
  | 'not-an-object'
  | 'bad-metadata'
  | 'duplicate-object'
  | 'path-missing'
  | 'path-outside'
  | 'bad-option'
  | 'remote-base'
  | 'missing-dependency'
  | 'unsupported-source'
  | 'tool-missing'
  | 'tool-failed'
  | 'timed-out'

/** A source could not be rendered. `message` is for a person: what is wrong, and what to do about it where that is known. */
export class RenderError extends Error {
  /** Where in the line it happened. */
  readonly stage = 'render'
  readonly reason: RenderReason
  readonly place?: Place

  constructor(
    reason: RenderReason,
    message: string,
    options: { readonly place?: Place; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'RenderError'
    this.reason = reason
    if (options.place !== undefined) this.place = options.place
  }

  static is(error: unknown, reason?: RenderReason): error is RenderError {
    return error instanceof RenderError && (reason === undefined || error.reason === reason)
  }
}

/** A place as compilers write it: `file:line:column`. */
export function placeText(place: Place): string {
  return `${place.file}:${place.line}:${place.column}`
}
