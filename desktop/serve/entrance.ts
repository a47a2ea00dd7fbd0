import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** What a browser is given for a token. */
export type Admission = {
  /** The `Set-Cookie` header: the browser's alone, sent to nobody by another site's doing. */
  readonly cookie: string
  /**
   * A second secret, which the page keeps in its origin's storage and shows when it opens a WebSocket. Cookies know no ports: any
   * other server on this machine that the person visits is sent ours.
   */
  readonly key: string
}

type Guest = { readonly cookie: Buffer; readonly key: Buffer }

/** A person does not open more browsers than this; the oldest is asked for a new link. */
const MOST_GUESTS = 32
/** Links that were printed and not used. */
const MOST_LINKS = 8

/** Who may come in: whoever brings a link that nobody has used, and from then on the browser that it was opened in. */
export class Entrance {
  readonly #cookieName: string
  #tokens: readonly Buffer[] = []
  #guests: readonly Guest[] = []

  /** @param port distinguishes the cookies of several servers, which share one host */
  constructor(port: number) {
    this.#cookieName = `plumbline-${port}`
  }

  /** A new token, good for one use. */
  issue(): string {
    const token = secret()
    this.#tokens = [...this.#tokens, digest(token)].slice(-MOST_LINKS)
    return token
  }

  /** Takes a token. @returns undefined where it is unknown or used */
  redeem(token: string): Admission | undefined {
    const given = digest(token)
    const found = this.#tokens.find((known) => timingSafeEqual(known, given))
    if (found === undefined) return undefined
    this.#tokens = this.#tokens.filter((known) => known !== found)
    const value = secret()
    const key = secret()
    this.#guests = [...this.#guests, { cookie: digest(value), key: digest(key) }].slice(-MOST_GUESTS)
    return { cookie: `${this.#cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict`, key }
  }

  /** Whether a `Cookie` header is that of a browser that came in by a link. */
  admits(header: string | undefined): boolean {
    return this.#guest(header) !== undefined
  }

  /** Whether a browser that came in also shows the key of the page. */
  admitsSocket(header: string | undefined, key: string | undefined): boolean {
    const guest = this.#guest(header)
    return guest !== undefined && key !== undefined && timingSafeEqual(guest.key, digest(key))
  }

  #guest(header: string | undefined): Guest | undefined {
    for (const pair of (header ?? '').split(';')) {
      const [name, value] = pair.trim().split('=', 2)
      if (name !== this.#cookieName || value === undefined) continue
      const given = digest(value)
      const guest = this.#guests.find(({ cookie }) => timingSafeEqual(cookie, given))
      if (guest !== undefined) return guest
    }
    return undefined
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}

/** Digests have one length, and comparing them tells nothing of what they were made of. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
