import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAuditPolicy, writeServiceAccountKeys, writeTokens } from './control-plane-files.ts'
import type { Tokens } from './control-plane-files.ts'
import { freePorts } from './control-plane-process.ts'

/** Every port, path and token of one control plane. */
export interface Layout {
  readonly folder: string
  readonly url: string
  readonly port: number
  readonly etcdUrl: string
  readonly etcdPeerUrl: string
  readonly tokens: Tokens
  readonly tokensPath: string
  readonly certFolder: string
  readonly caPath: string
  readonly serviceAccountKeyPath: string
  readonly serviceAccountPublicKeyPath: string
  readonly auditPolicyPath: string
  readonly auditLogPath: string
  readonly kubeconfigPath: string
}

/** Chooses the ports and writes what the servers read at their start. */
export async function layOut(folder: string): Promise<Layout> {
  const [port = 0, etcdPort = 0, peerPort = 0] = await freePorts(3)
  const at = (name: string): string => join(folder, name)
  const layout = {
    folder,
    url: `https://127.0.0.1:${port}`,
    port,
    etcdUrl: `http://127.0.0.1:${etcdPort}`,
    etcdPeerUrl: `http://127.0.0.1:${peerPort}`,
    tokensPath: at('tokens.csv'),
    certFolder: at('certificates'),
    caPath: at('ca.crt'),
    serviceAccountKeyPath: at('service-account.key'),
    serviceAccountPublicKeyPath: at('service-account.pub'),
    auditPolicyPath: at('audit-policy.json'),
    auditLogPath: at('audit.log'),
    kubeconfigPath: at('kubeconfig'),
  }
  mkdirSync(layout.certFolder)
  writeServiceAccountKeys(layout.serviceAccountKeyPath, layout.serviceAccountPublicKeyPath)
  writeAuditPolicy(layout.auditPolicyPath)
  return { ...layout, tokens: writeTokens(layout.tokensPath) }
}

export function etcdFlags({ folder, etcdUrl, etcdPeerUrl }: Layout): readonly string[] {
  return [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${etcdPeerUrl}`,
    `--initial-advertise-peer-urls=${etcdPeerUrl}`,
    `--initial-cluster=default=${etcdPeerUrl}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ]
}

export function apiServerFlags(layout: Layout, audit: boolean): readonly string[] {
  const flags = [
    `--etcd-servers=${layout.etcdUrl}`,
    `--cert-dir=${layout.certFolder}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${layout.port}`,
    `--token-auth-file=${layout.tokensPath}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${layout.serviceAccountPublicKeyPath}`,
    `--service-account-signing-key-file=${layout.serviceAccountKeyPath}`,
    '--service-cluster-ip-range=10.0.0.0/16',
    '--disable-admission-plugins=ServiceAccount',
    // There is one API server, and nobody looks for it through its own Service.
    '--endpoint-reconciler-type=none',
  ]
  if (audit) flags.push(`--audit-policy-file=${layout.auditPolicyPath}`, `--audit-log-path=${layout.auditLogPath}`)
  return flags
}

export function controllerManagerFlags(layout: Layout): readonly string[] {
  return [
    `--kubeconfig=${layout.kubeconfigPath}`,
    `--service-account-private-key-file=${layout.serviceAccountKeyPath}`,
    `--root-ca-file=${layout.caPath}`,
    '--leader-elect=false',
    '--secure-port=0',
    // The one node has no heartbeat to be judged by.
    '--controllers=*,-node-lifecycle-controller',
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
  ]
}

/**
 * The authority behind the certificate that kube-apiserver made for itself; undefined until it is written. The file
 * holds the serving certificate first and the authority last.
 */
export function readServingCa({ certFolder, caPath }: Layout): string | undefined {
  const path = join(certFolder, 'apiserver.crt')
  if (!existsSync(path)) return undefined
  const certificates = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g)
  const authority = certificates?.[1]
  if (authority !== undefined) writeFileSync(caPath, authority)
  return authority
}
