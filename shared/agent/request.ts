import { RequestType } from 'vscode-jsonrpc/node'
import type { FailureData } from './contract.ts'

/** One method of the agent: its name with what it takes and gives. */
export function request<P, R>(method: string): RequestType<P, R, FailureData> {
  return new RequestType<P, R, FailureData>(method)
}
