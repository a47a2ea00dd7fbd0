/** Who asks. */
export interface UserInfo {
  readonly name: string
  readonly groups: readonly string[]
  readonly uid?: string
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** A request without a socket. Header names are in lower case. */
export interface ApiRequest {
  readonly method: string
  /** Path and query as they stand in the request line. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Bytes or text as received, or JSON data that the callee may keep but not change. */
  readonly body?: Uint8Array | string | object
  /** Set by callers within the process; without it the headers must prove who asks. */
  readonly user?: UserInfo
}

/** Where a watch writes its events. */
export interface WatchSink {
  /** One event, ready for the wire, with its line end. */
  write(line: string): void
  /** The server ends the watch. */
  end(): void
}

/** A header with several values is sent once for each. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>

export type ApiResponse =
  | {
      readonly kind: 'json'
      readonly status: number
      readonly headers: ResponseHeaders
      /** Shared with the store: read it, never change it. */
      readonly body: object
    }
  | {
      readonly kind: 'text'
      readonly status: number
      readonly headers: ResponseHeaders
      readonly body: string
    }
  | {
      readonly kind: 'watch'
      readonly status: number
      readonly headers: ResponseHeaders
      /** Begins to write; the answer stops it. */
      start(sink: WatchSink): () => void
    }

export function jsonResponse(status: number, body: object, headers: ResponseHeaders = {}): ApiResponse {
  return { kind: 'json', status, headers: { 'content-type': 'application/json', ...headers }, body }
}

export function textResponse(status: number, body: string, contentType = 'text/plain; charset=utf-8'): ApiResponse {
  return { kind: 'text', status, headers: { 'content-type': contentType }, body }
}
