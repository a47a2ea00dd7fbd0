import type { Cancellable, DeleteRequest } from '../model/ports.ts'
import { ClusterError } from './cluster-error.ts'
import { sendWrite } from './write.ts'
import type { Writer } from './write.ts'

/** Deletes exactly the object that was planned; one that is gone already is no error. @throws ClusterError `conflict` */
export async function remove(writer: Writer, request: DeleteRequest, options: Cancellable): Promise<void> {
  const { gvk, id, uid, resourceVersion } = request
  const body = {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: request.propagation,
    preconditions: { uid, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
  }
  try {
    await sendWrite(
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
  } catch (error) {
    if (!ClusterError.is(error, 'not-found')) throw error
  }
}
