import { stringifyJson } from '../model/json.ts'
import type { LiveObject } from '../model/live.ts'
import type { Cancellable, PatchRequest } from '../model/ports.ts'
import { decodeAnswer, sendWrite } from './write.ts'
import type { Writer } from './write.ts'

/** JSON patch (RFC 6902). A `test` that fails is `invalid`. @throws ClusterError */
export async function patch(
  writer: Writer,
  request: PatchRequest,
  { dryRun, signal }: Cancellable & { readonly dryRun: boolean },
): Promise<LiveObject> {
  const query = new URLSearchParams({ fieldManager: request.fieldManager })
  if (dryRun) query.set('dryRun', 'All')
  const answer = await sendWrite(
    writer,
    {
      gvk: request.gvk,
      id: request.id,
      verb: 'patch',
      method: 'PATCH',
      query,
      body: stringifyJson(request.operations),
      contentType: 'application/json-patch+json',
      repeatable: dryRun,
    },
    signal === undefined ? {} : { signal },
  )
  return decodeAnswer(writer, answer)
}
