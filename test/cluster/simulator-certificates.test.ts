// Who signs in by a client certificate: kubectl asks for it, an administrator approves, the server's authority signs.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { run } from '../../shared/base/process.ts'
import { startServer } from '../../shared/simulator/server.ts'
import { missingTools, toolPath } from '../support/tools/find.ts'

async function noOpenssl(): Promise<string | false> {
  const { kind } = await run('openssl', ['version'], { timeoutMs: 10_000 })
  return kind === 'not-found' ? 'no openssl on PATH' : false
}

test(
  'a client certificate signs its holder in, with the rights of its user and groups',
  { skip: missingTools('kubectl') || (await noOpenssl()) },
  async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-certificates-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const server = await startServer({ rbac: true })
    t.after(() => server.close())
    const at = (name: string): string => path.join(folder, name)
    await writeFile(at('admin.yaml'), server.kubeconfig())
    await writeFile(at('ca.crt'), server.caPem)
    const kubectl = async (kubeconfig: string, ...args: readonly string[]): Promise<{ out: string; ok: boolean }> => {
      const done = await run(toolPath('kubectl'), ['--kubeconfig', at(kubeconfig), ...args], { timeoutMs: 30_000 })
      assert.equal(done.kind, 'exited')
      return { out: `${done.stdout.toString()}${done.stderr}`, ok: done.code === 0 }
    }
    const admin = async (...args: readonly string[]): Promise<string> => {
      const { out, ok } = await kubectl('admin.yaml', ...args)
      assert.ok(ok, out)
      return out
    }
    const subject = '/O=readers/CN=jane'
    await run(
      'openssl',
      [
        'req',
        '-new',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-keyout',
        at('jane.key'),
        '-out',
        at('jane.csr'),
        '-subj',
        subject,
      ],
      { timeoutMs: 30_000 },
    )
    const request = (await readFile(at('jane.csr'))).toString('base64')
    await writeFile(
      at('csr.json'),
      JSON.stringify({
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name: 'jane' },
        spec: {
          request,
          signerName: 'kubernetes.io/kube-apiserver-client',
          usages: ['client auth'],
          expirationSeconds: 3600,
        },
      }),
    )
    await admin('create', '-f', at('csr.json'))
    assert.match(await admin('get', 'csr'), /jane .* kubernetes-admin .* Pending/u)
    await admin('certificate', 'approve', 'jane')
    assert.match(await admin('get', 'csr'), /Approved,Issued/u)
    const certificate = await admin('get', 'csr', 'jane', '-o', 'jsonpath={.status.certificate}')
    await writeFile(at('jane.crt'), Buffer.from(certificate, 'base64'))
    await kubectl(
      'jane.yaml',
      'config',
      'set-cluster',
      'c',
      `--server=${server.url}`,
      `--certificate-authority=${at('ca.crt')}`,
    )
    await kubectl(
      'jane.yaml',
      'config',
      'set-credentials',
      'jane',
      `--client-certificate=${at('jane.crt')}`,
      `--client-key=${at('jane.key')}`,
    )
    await kubectl('jane.yaml', 'config', 'set-context', 'x', '--cluster=c', '--user=jane')
    await kubectl('jane.yaml', 'config', 'use-context', 'x')

    assert.match((await kubectl('jane.yaml', 'auth', 'whoami')).out, /jane[\s\S]*readers system:authenticated/u)
    const refused = await kubectl('jane.yaml', 'get', 'configmaps')
    assert.match(
      refused.out,
      /configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "default"/u,
    )
    await admin('create', 'rolebinding', 'readers', '--clusterrole=view', '--group=readers')
    assert.ok((await kubectl('jane.yaml', 'get', 'configmaps')).ok)
    assert.match((await kubectl('jane.yaml', 'auth', 'can-i', 'create', 'configmaps')).out, /^no/u)

    await t.test('a certificate of another authority is nobody', async () => {
      await run(
        'openssl',
        ['req', '-x509', '-key', at('jane.key'), '-out', at('jane.crt'), '-subj', subject, '-days', '1'],
        { timeoutMs: 30_000 },
      )
      const { ok, out } = await kubectl('jane.yaml', 'get', 'configmaps')
      assert.equal(ok, false, out)
    })
  },
)
