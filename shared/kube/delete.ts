import type { LiveObject } from '../model/live.ts'
import type { Cancellable, DeleteRequest } from '../model/ports.ts'
import { ClusterError } from './cluster-error.ts'
import { decodeAnswer, sendWrite } from './write.ts'
import type { Writer } from './write.ts'

/**
 * Deletes exactly the object that was planned; one that is gone already is no error.
 * @returns the object where it stays until its finalizers are done, undefined where it is gone
 * @throws ClusterError `conflict`
 */
export async function remove(
  writer: Writer,
  request: DeleteRequest,
  options: Cancellable,
): Promise<LiveObject | undefined> {
  const { gvk, id, uid, resourceVersion } = request
  const body = {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: request.propagation,
    preconditions: { uid, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
  }
  try {
    const answer = await sendWrite(
      writer,
      {
        gvk,
        id,
        verb: 'delete',
        method: 'DELETE',
        body: JSON.stringify(body),
        contentType: 'application/json',
        // With its uid as a precondition a second delete cannot hit another object.
        repeatable: true,
      },
      options,
    )
    const left = decodeAnswer(writer, answer)
    return left.object.kind === 'Status' ? undefined : left
  } catch (error) {
    if (ClusterError.is(error, 'not-found')) return undefined
    throw error
  }
}
