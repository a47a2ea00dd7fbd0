import { ApiServer, type ApiRequest, type ApiResponse, type ApiServerOptions } from '../simulator/api-server.ts'

/** Changes a request on its way in, or answers it in the server's place. */
export type Interceptor = (
  request: ApiRequest,
  server: ApiServer,
) => ApiRequest | { readonly answer: ApiResponse } | undefined

/** An embedded server where things go wrong as asked, for clients and for its own controllers alike. */
export class FaultyServer extends ApiServer {
  readonly #interceptors: readonly Interceptor[]

  constructor(options: ApiServerOptions, interceptors: readonly Interceptor[]) {
    super(options)
    this.#interceptors = interceptors
  }

  override handle(request: ApiRequest): ApiResponse {
    let changed = request
    for (const intercept of this.#interceptors) {
      const found = intercept(changed, this)
      if (found === undefined) continue
      if ('answer' in found) return found.answer
      changed = found
    }
    return super.handle(changed)
  }
}
