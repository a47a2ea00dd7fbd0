/** One thing that is wrong with a value: where (as `pathText` prints it) and what. */
export interface TypeIssue {
  readonly path: string
  readonly message: string
}

/** A value does not fit its type, or lies too deep to be walked. The message is worded as structured-merge-diff words it. */
export class TypedError extends Error {
  readonly reason: 'mismatch' | 'too-deep'
  readonly issues: readonly TypeIssue[]

  constructor(issues: readonly TypeIssue[], options: { reason?: 'mismatch' | 'too-deep'; cause?: unknown } = {}) {
    super(issuesText(issues), { cause: options.cause })
    this.name = 'TypedError'
    this.reason = options.reason ?? 'mismatch'
    this.issues = issues
  }

  static is(error: unknown): error is TypedError {
    return error instanceof TypedError
  }
}

function issueText(issue: TypeIssue): string {
  return issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`
}

function issuesText(issues: readonly TypeIssue[]): string {
  const [first] = issues
  if (first !== undefined && issues.length === 1) return issueText(first)
  return ['errors:', ...issues.map((issue) => `  ${issueText(issue)}`)].join('\n')
}

/**
 * Runs a walk over data of unknown depth. Data nested deeper than the stack bears is refused instead of crashing.
 * @throws TypedError with reason `too-deep`
 */
export function guardDepth<T>(walk: () => T): T {
  try {
    return walk()
  } catch (error) {
    if (error instanceof RangeError)
      throw new TypedError([{ path: '', message: 'exceeded max depth' }], { reason: 'too-deep', cause: error })
    throw error
  }
}
