import { protocol, type Session } from 'electron'
import type { Asset } from '../host/assets.ts'
import { contentSecurityPolicy, PAGE_HEADERS } from '../host/page-policy.ts'
import { isPageAddress, PAGE_SCHEME } from './page-address.ts'

/** Has to be called before the app is ready. */
export function announcePageScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: PAGE_SCHEME, privileges: { standard: true, secure: true } }])
}

/** Answers the page's own scheme with the files of the window, by name; there is nothing else in it. */
export function servePage(session: Session, assets: ReadonlyMap<string, Asset>): void {
  session.protocol.handle(PAGE_SCHEME, (request) => {
    const asset = isPageAddress(request.url) ? assets.get(new URL(request.url).pathname) : undefined
    if (request.method !== 'GET' || asset === undefined) return new Response('', { status: 404, headers: PAGE_HEADERS })
    const headers = {
      ...PAGE_HEADERS,
      'Content-Type': asset.type,
      'Content-Security-Policy': contentSecurityPolicy("'none'"),
    }
    return new Response(new Uint8Array(asset.bytes), { headers })
  })
}
