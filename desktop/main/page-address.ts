/** The scheme that the window's page is loaded from: ours alone, so that nothing of file: or http: is one with it. */
export const PAGE_SCHEME = 'plumbline-page'
export const PAGE_ORIGIN = `${PAGE_SCHEME}://window`
export const PAGE_ADDRESS = `${PAGE_ORIGIN}/index.html`

/** Whether an address is one of the window's own. Schemes of ours have no origin that `URL` would tell. */
export function isPageAddress(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === `${PAGE_SCHEME}:` && new URL(address).host === 'window'
}
