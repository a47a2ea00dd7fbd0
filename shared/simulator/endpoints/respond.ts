import { StatusError, plainError } from '../errors.ts'
import type { KubeObject } from '../object.ts'
import type { ApiResponse } from './api-types.ts'
import type { ResourceRequest, ServerContext } from './server-context.ts'
import { metadataOnly, tableOf } from './table.ts'
import { internalPackage } from './type-names.ts'
import { dumpYaml } from './yaml.ts'

/** The shapes that every resource can be answered in. */
export const resourceTransforms = [
  'Table.v1.meta.k8s.io',
  'Table.v1beta1.meta.k8s.io',
  'PartialObjectMetadata.v1.meta.k8s.io',
  'PartialObjectMetadataList.v1.meta.k8s.io',
]

/** Answers with one object in the shape the client asked for. */
export function objectResponse(
  server: ServerContext,
  rr: ResourceRequest,
  object: KubeObject,
  status = 200,
): ApiResponse {
  switch (rr.wanted.as?.kind) {
    case undefined:
      return encoded(rr, status, object)
    case 'Table':
      return encoded(
        rr,
        status,
        tableOf(server, rr, [object], { resourceVersion: object.metadata.resourceVersion ?? '' }),
      )
    case 'PartialObjectMetadata':
      return encoded(rr, status, metadataOnly(object))
    default:
      // Go's data without a type claims to be a list, until it is walked.
      if (rr.type.custom) throw plainError('content is not a list')
      throw new StatusError(
        406,
        'NotAcceptable',
        `you requested PartialObjectMetadataList, but the requested object is not a list (*${internalPackage(rr.type.group)}.${rr.type.kind})`,
      )
  }
}

/** Any body in the format the client asked for, with the warnings gathered on the way. */
export function encoded(rr: Pick<ResourceRequest, 'wanted' | 'warnings'>, status: number, body: object): ApiResponse {
  const warning = warningHeader(rr.warnings)
  if (rr.wanted.format === 'yaml') {
    return {
      kind: 'text',
      status,
      headers: { 'content-type': 'application/yaml', ...warning },
      body: dumpYaml(body),
    }
  }
  return { kind: 'json', status, headers: { 'content-type': 'application/json', ...warning }, body }
}

/** RFC 7234 warnings with the code that kube-apiserver uses; control characters cannot travel in a header. */
export function warningHeader(warnings: readonly string[]): { readonly warning?: readonly string[] } {
  if (warnings.length === 0) return {}
  const texts = [...new Set(warnings)].map((text) => text.replaceAll(/[\p{Cc}]/gu, ' ').slice(0, 256))
  return { warning: texts.map((text) => `299 - "${text.replaceAll(/["\\]/gu, '\\$&')}"`) }
}
