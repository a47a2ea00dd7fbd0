import type { CancellationToken } from 'vscode'

/** The editor's cancellation as ours. */
export function signalOf(token: CancellationToken): { readonly signal: AbortSignal } {
  const abort = new AbortController()
  if (token.isCancellationRequested) abort.abort()
  else token.onCancellationRequested(() => abort.abort())
  return { signal: abort.signal }
}
