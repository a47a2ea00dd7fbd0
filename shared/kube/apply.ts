import { stringifyJson } from '../model/json.ts'
import { gvkOf, idOf } from '../model/kubernetes.ts'
import type { LiveObject } from '../model/live.ts'
import type { ApplyRequest, Cancellable } from '../model/ports.ts'
import { decodeAnswer, sendWrite } from './write.ts'
import type { Writer } from './write.ts'

/** Server-side apply. JSON is YAML, so the body is sent as it is. @throws ClusterError */
export async function apply(
  writer: Writer,
  request: ApplyRequest,
  { dryRun, signal }: Cancellable & { readonly dryRun: boolean },
): Promise<LiveObject> {
  const query = new URLSearchParams({
    fieldManager: request.fieldManager,
    force: String(request.force),
    fieldValidation: request.fieldValidation,
  })
  if (dryRun) query.set('dryRun', 'All')
  const answer = await sendWrite(
    writer,
    {
      gvk: gvkOf(request.object),
      id: idOf(request.object),
      verb: 'patch',
      method: 'PATCH',
      query,
      body: stringifyJson(request.object),
      contentType: 'application/apply-patch+yaml',
      repeatable: dryRun,
    },
    signal === undefined ? {} : { signal },
  )
  return decodeAnswer(writer, answer)
}
