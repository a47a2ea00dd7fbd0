const sealLine = /^Argocd-gpg-seal\s*:\s*\S/i
const trailerLine = /^[A-Za-z0-9-]+\s*:/

/**
 * Whether a commit message carries the trailer of a seal (Argo CD, source-integrity-git-gpg): its author vouches for all
 * its ancestors. A trailer stands in the last paragraph, behind the subject, among nothing but trailers; the words
 * anywhere else, as in a quotation, seal nothing. Signature and key are checked elsewhere.
 */
export function isSeal(message: Uint8Array): boolean {
  const text = Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString('latin1')
  if (!/argocd-gpg-seal/i.test(text)) return false
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  while (lines.at(-1)?.trim() === '') lines.pop()
  const blank = lines.findLastIndex((line) => line.trim() === '')
  if (blank === -1) return false
  const block = lines.slice(blank + 1)
  if (!block.every((line, index) => trailerLine.test(line) || (index > 0 && /^[ \t]/.test(line)))) return false
  return block.some((line) => sealLine.test(line))
}
