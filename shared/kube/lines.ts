import { ClusterError } from './cluster-error.ts'

const newline = 10
/** One object is at most a few megabytes (etcd's limit is 1.5 MiB, JSON makes it a little more). */
const longestLine = 64 * 1024 * 1024

/**
 * Cuts a stream of bytes into lines, as many at once as each piece completes. What follows the last newline is not a
 * whole line and is dropped at the end.
 */
export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  let parts: Buffer[] = []
  let waiting = 0
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(newline)
    if (end < 0) {
      parts.push(chunk)
      waiting += chunk.length
      if (waiting > longestLine) throw new ClusterError('bad-answer', 'one event of the watch is too long')
      continue
    }
    const text = Buffer.concat([...parts, chunk.subarray(0, end)]).toString('utf8')
    parts = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : []
    waiting = chunk.length - end - 1
    const lines = text.split('\n').filter((line) => line !== '' && line !== '\r')
    if (lines.length > 0) yield lines
  }
}
