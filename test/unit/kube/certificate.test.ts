import assert from 'node:assert/strict'
import type { ServerOptions } from 'node:https'
import { test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { ClusterError } from '../../../shared/kube/cluster-error.ts'
import { errorOfConnection } from '../../../shared/kube/connection-error.ts'
import type { CertificateProblem } from '../../../shared/kube/cluster-error.ts'
import {
  authority,
  authorityPem,
  clientCertificate,
  expiredCertificate,
  otherAuthority,
  serverCertificate,
} from './certificates.ts'
import { failureOf, faultyCluster } from './cluster-scaffold.ts'

const ca = { 'certificate-authority-data': authority() }
const good = serverCertificate(['127.0.0.1'])

const refused: Readonly<Record<string, { tls: ServerOptions; cluster: object; problem: CertificateProblem }>> = {
  'an expired certificate': { tls: expiredCertificate(['127.0.0.1']), cluster: ca, problem: 'expired' },
  'a certificate of another authority': {
    tls: good,
    cluster: { 'certificate-authority-data': otherAuthority() },
    problem: 'unknown-authority',
  },
  'a certificate that only the machine could know': { tls: good, cluster: {}, problem: 'unknown-authority' },
  'a certificate for another host': { tls: serverCertificate(['k.example']), cluster: ca, problem: 'wrong-host' },
}

for (const [what, { tls, cluster: facts, problem }] of Object.entries(refused)) {
  test(`${what} is told apart`, async (t) => {
    const { cluster } = await faultyCluster(t, { tls, cluster: facts })
    const error = await failureOf(cluster.describe({}))
    assert.ok(ClusterError.is(error, 'certificate'), String(error))
    assert.equal(error.certificate, problem)
  })
}

const accepted: Readonly<Record<string, { tls: ServerOptions; cluster: object; user?: object }>> = {
  'the authority of the kubeconfig': { tls: good, cluster: ca },
  'tls-server-name instead of the address': {
    tls: serverCertificate(['k.example']),
    cluster: { ...ca, 'tls-server-name': 'k.example' },
  },
  'insecure-skip-tls-verify': { tls: expiredCertificate(['k.example']), cluster: { 'insecure-skip-tls-verify': true } },
}

for (const [what, options] of Object.entries(accepted)) {
  test(`${what} is enough to trust`, async (t) => {
    const { cluster } = await faultyCluster(t, options)
    assert.equal((await cluster.describe({})).version, 'v1.36.2')
  })
}

for (const alert of ['CERTIFICATE_REQUIRED', 'BAD_CERTIFICATE', 'UNKNOWN_CA', 'CERTIFICATE_EXPIRED']) {
  test(`the TLS alert ${alert} means that our own certificate is refused`, () => {
    const cause = Object.assign(new Error('alert'), { code: `ERR_SSL_TLSV13_ALERT_${alert}` })
    const error = errorOfConnection(cause, 'https://k.example', { verb: 'get' })
    assert.ok(ClusterError.is(error, 'certificate'))
    assert.equal(error.certificate, 'client-rejected')
  })
}

test('the client certificate of the kubeconfig says who we are', async (t) => {
  const tls = { ...good, ca: authorityPem, requestCert: true, rejectUnauthorized: true }
  const { server, cluster } = await faultyCluster(t, { tls, cluster: ca, user: clientCertificate('joe') })
  let user: unknown
  server.fail(/version/, (_, response) => {
    user = (response.socket as TLSSocket).getPeerCertificate().subject['CN']
    response.end('{"gitVersion":"v1.36.2"}')
  })
  await cluster.describe({})
  assert.equal(user, 'joe')
})
