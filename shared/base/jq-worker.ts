import { raw } from 'jq-wasm'
import { parentPort } from 'node:worker_threads'

/** jq in its own thread, so that an expression that never ends can be ended. */
export type JqQuestion = { readonly id: number; readonly expression: string; readonly json: string }
export type JqAnswer =
  | { readonly id: number; readonly output: string }
  | { readonly id: number; readonly error: string }

parentPort?.on('message', (question: JqQuestion) => {
  void answer(question).then((message) => parentPort?.postMessage(message))
})

async function answer({ id, expression, json }: JqQuestion): Promise<JqAnswer> {
  try {
    return { id, output: await raw(json, expression, ['-c']) }
  } catch (error) {
    return { id, error: error instanceof Error ? error.message : String(error) }
  }
}
