import { userInfo } from 'node:os'

type Environment = Readonly<Record<string, string | undefined>>

/** What this person is called on this machine, for the record of who asked for a sync. */
export function userName(env: Environment = process.env): string {
  const named = env['USER'] ?? env['USERNAME']
  if (named !== undefined && named !== '') return named
  try {
    return userInfo().username
  } catch {
    // A container may run under a number that no account has.
    return 'unknown'
  }
}
