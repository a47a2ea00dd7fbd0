/** A query string as Go's `url.ParseQuery` reads it, which leaves out every pair that it cannot read. */
export function parseQuery(text: string): URLSearchParams {
  const readable = text.split('&').filter((pair) => !pair.includes(';') && !/%(?![0-9A-Fa-f]{2})/u.test(pair))
  return new URLSearchParams(readable.join('&'))
}

/** A path with its escapes resolved; undefined where one is broken. */
export function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path
  if (/%(?![0-9A-Fa-f]{2})/u.test(path)) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    // Bytes that are no UTF-8: whatever they stand for names nothing that is stored.
    return path.replaceAll(/%[0-9A-Fa-f]{2}/gu, '\ufffd')
  }
}
