import type { Readable, Writable } from 'node:stream'
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node'
import type { Message, MessageConnection } from 'vscode-jsonrpc/node'
import { parseJson, stringifyJson } from '../model/json.ts'

/** JSON-RPC over two streams. Integers beyond 2^53 cross it exactly. */
export function connectWire(input: Readable, output: Writable): MessageConnection {
  const name = 'application/json'
  const reader = new StreamMessageReader(input, {
    contentTypeDecoder: {
      name,
      decode: async (bytes) => parseJson(Buffer.from(bytes).toString('utf8')) as unknown as Message,
    },
  })
  const writer = new StreamMessageWriter(output, {
    contentTypeEncoder: { name, encode: async (message) => Buffer.from(stringifyJson(message), 'utf8') },
  })
  return createMessageConnection(reader, writer)
}
