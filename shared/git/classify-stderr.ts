import { GitError } from './git-error.ts'
import type { GitReason } from './git-error.ts'

/**
 * What git, curl and ssh say in the C locale, and what it means. First match wins, so the particular stands before
 * the general (ssh prints "Could not read from remote repository" after its own reason).
 */
const table: readonly (readonly [RegExp, GitReason])[] = [
  [/dubious ownership|unsafe repository/i, 'forbidden'],
  [/not a git repository/i, 'not-a-repository'],
  [/unknown repository extension|expected git repo version/i, 'unsupported'],
  [/host key verification failed|host identification has changed|no matching host key/i, 'host-key'],
  [
    /SSL certificate|certificate verif|unable to get local issuer|self[- ]signed certificate|CAfile|SSL: no alternative/i,
    'certificate',
  ],
  [/returned error: 403|HTTP 403/i, 'forbidden'],
  [
    /returned error: 401|HTTP 401|authentication failed|could not read (?:username|password)|invalid (?:username|credentials)/i,
    'auth-failed',
  ],
  [
    /permission denied \(|permission denied, please try again|too many authentication failures|no supported authentication/i,
    'auth-failed',
  ],
  [
    /returned error: 404|repository .*not found|repository not found|does not appear to be a git repository/i,
    'repository-not-found',
  ],
  [
    /transport '.*' not allowed|protocol '.*' is not (?:allowed|supported)|remote helper '.*'|unable to find remote helper/i,
    'unsupported',
  ],
  [/operation timed out|connection timed out|timed? ?out/i, 'timed-out'],
  [
    /could not resolve|name or service not known|temporary failure in name resolution|connection refused|failed to connect|couldn't connect|no route to host|network is unreachable|connection reset|returned error: 5\d\d|could not read from remote|early eof|empty reply|recv failure|send failure|recv error|curl 56|unexpected disconnect|the remote end hung up/i,
    'unreachable',
  ],
  [/not our ref|couldn't find remote ref|no such remote ref|unadvertised object/i, 'unknown-revision'],
  [/bad object|missing (?:blob|tree|commit)|unable to read (?:tree|sha1)|promisor/i, 'missing-object'],
  [/corrupt|malformed|inflate:|index-pack failed|fsck error|packfile .* cannot be/i, 'corrupt'],
  [/\.lock': File exists|unable to create .*\.lock/i, 'locked'],
]

/** Turns what git printed into a reason, and its own last word into the message. */
export function classifyStderr(stderr: string, fallback: string): GitError {
  const reason = table.find(([pattern]) => pattern.test(stderr))?.[1] ?? 'unusable'
  return new GitError(reason, tellingLine(stderr) ?? fallback)
}

/** The line that says why: git's first `fatal:`, else `error:` or `remote:`, else the last line. */
function tellingLine(stderr: string): string | undefined {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const generic = /could not read from remote repository|the remote end hung up|make sure you have the correct access/i
  const telling =
    lines.find((line) => /^(?:fatal|error):/.test(line) && !generic.test(line)) ??
    lines.find((line) => /permission denied|host key|could not resolve|connection/i.test(line)) ??
    lines.findLast((line) => line.startsWith('remote:')) ??
    lines.at(-1)
  return telling?.replace(/^(?:fatal|error):\s*/, '').slice(0, 500)
}
