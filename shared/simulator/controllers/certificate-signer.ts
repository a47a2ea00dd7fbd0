import type { Json } from '../kinds/json.ts'
import { numberAt, objectAt, objectsAt, textAt, textsAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { signCertificate } from '../tls/certificates.ts'
import type { KeyedCertificate } from '../tls/certificates.ts'
import { readSigningRequest, SigningRequestError } from '../tls/signing-request.ts'
import type { Controller, Setting } from './controller.ts'
import { itself, splitKey } from './controller.ts'
import { signingRequests } from './resources.ts'

/** Who signs what the cluster's own signers are asked for. */
export interface CertificateSigner {
  readonly authority: KeyedCertificate
  readonly authorityName: string
}

const clientSigner = 'kubernetes.io/kube-apiserver-client'
const longest = 365 * 24 * 3_600
const shortest = 600

/** Signs approved requests for client certificates, as kube-controller-manager does where it has the authority's key. */
export function certificateSigner({ host, queue }: Setting, signer: CertificateSigner): Controller {
  const name = 'certificates'
  return {
    name,
    watches: [[signingRequests, itself(queue, name)]],
    reconcile(key) {
      const [, request] = splitKey(key)
      const live = host.get(signingRequests, '', request)
      if (live === undefined || !isDue(live)) return
      const spec = objectAt(live, 'spec') ?? {}
      const status = objectAt(live, 'status') ?? {}
      host.updateStatus(signingRequests, {
        ...live,
        status: { ...status, ...outcome(spec, status, signer, host.now()) },
      })
    },
  }
}

function isDue(request: KubeObject): boolean {
  const status = objectAt(request, 'status')
  const has = (type: string): boolean => objectsAt(status, 'conditions').some((c) => textAt(c, 'type') === type)
  const asked = textAt(objectAt(request, 'spec'), 'signerName')
  return asked === clientSigner && textAt(status, 'certificate') === '' && has('Approved') && !has('Failed')
}

function outcome(spec: Json, status: Json, { authority, authorityName }: CertificateSigner, now: string): Json {
  const refused = refusal(spec)
  if (refused !== undefined) {
    const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message: refused }
    return { conditions: [...objectsAt(status, 'conditions'), { ...failed, lastUpdateTime: now }] }
  }
  const asked = readSigningRequest(Buffer.from(textAt(spec, 'request'), 'base64').toString('latin1'))
  const seconds = Math.min(Math.max(numberAt(spec, 'expirationSeconds') ?? longest, shortest), longest)
  const pem = signCertificate(authority, authorityName, asked, ['client'], seconds)
  return { certificate: Buffer.from(pem).toString('base64') }
}

/** Why a client's certificate is not made; undefined where it is. */
function refusal(spec: Json): string | undefined {
  const usages = textsAt(spec, 'usages')
  const odd = usages.find((usage) => !['client auth', 'digital signature', 'key encipherment'].includes(usage))
  if (odd !== undefined) return `invalid usage for client certificate: ${odd}`
  if (!usages.includes('client auth')) return 'missing required usage for client certificate: client auth'
  try {
    readSigningRequest(Buffer.from(textAt(spec, 'request'), 'base64').toString('latin1'))
    return undefined
  } catch (error) {
    if (SigningRequestError.is(error)) return error.message
    throw error
  }
}
