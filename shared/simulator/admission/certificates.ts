import { forbidden } from '../errors.ts'
import { objectAt, textAt } from '../kinds/json.ts'
import { readSigningRequest, SigningRequestError } from '../tls/signing-request.ts'
import type { Plugin } from './request.ts'

const clientSigner = 'kubernetes.io/kube-apiserver-client'

/** Nobody becomes an administrator by a certificate (CertificateSubjectRestriction). */
export const subjectRestriction: Plugin = ({ operation, group, resource, subresource, name, next }) => {
  if (operation !== 'create' || resource !== 'certificatesigningrequests' || subresource !== '') return
  const spec = objectAt(next, 'spec')
  if (textAt(spec, 'signerName') !== clientSigner) return
  if (!organizations(textAt(spec, 'request')).includes('system:masters')) return
  throw forbidden(
    { group, name: resource },
    name,
    `use of ${clientSigner} signer with system:masters group is not allowed`,
  )
}

function organizations(request: string): readonly string[] {
  try {
    return readSigningRequest(Buffer.from(request, 'base64').toString('latin1')).organizations
  } catch (error) {
    // Validation has told of it.
    if (SigningRequestError.is(error)) return []
    throw error
  }
}
