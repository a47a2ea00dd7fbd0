/** What a look at the update address found. */
export type UpdateAnswer =
  | { readonly kind: 'newer'; readonly version: string }
  | { readonly kind: 'current' }
  | { readonly kind: 'failed'; readonly message: string }

/**
 * Asks the address that the person gave, when the person asks: `{"version": "1.2.3"}`. Nothing is sent beside the request, nothing
 * is downloaded, and without an address nobody asks.
 */
export async function checkForUpdate(
  address: string,
  version: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<UpdateAnswer> {
  if (!URL.canParse(address) || new URL(address).protocol !== 'https:')
    return { kind: 'failed', message: 'the update address has to begin with https://' }
  try {
    const answer = await fetch(address, { signal, redirect: 'error', credentials: 'omit' })
    if (!answer.ok) return { kind: 'failed', message: `the update address answered ${answer.status}` }
    const { version: found } = ((await answer.json()) ?? {}) as { readonly version?: unknown }
    if (typeof found !== 'string' || !/^\d+\.\d+\.\d+$/.test(found))
      return { kind: 'failed', message: 'the update address names no version' }
    return isNewer(found, version) ? { kind: 'newer', version: found } : { kind: 'current' }
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}

function isNewer(found: string, version: string): boolean {
  const [one, other] = [found, version].map((text) => text.split('.').map(Number))
  for (const place of [0, 1, 2]) {
    const difference = (one?.[place] ?? 0) - (other?.[place] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}
