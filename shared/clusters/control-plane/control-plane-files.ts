import { generateKeyPairSync } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { createAuthority, createClientCertificate, createServerCertificate } from '../../simulator/tls/certificates.ts'
import type { KeyedCertificate } from '../../simulator/tls/certificates.ts'
import { freePort } from '../free-port.ts'
import { writePrivately } from '../private-file.ts'
import type { ControlPlaneBinaries } from './binaries.ts'

/** What one control plane is made of; kept in its folder, so that it starts again as it was. */
export type ControlPlane = {
  readonly folder: string
  readonly binaries: ControlPlaneBinaries
  readonly port: number
  readonly etcdPort: number
  readonly etcdPeerPort: number
}

const AUTHORITY = 'plumbline-control-plane-ca'
const SERVICE_RANGE = '10.0.0.0/16'
const HOSTS = [
  '127.0.0.1',
  '::1',
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  '10.0.0.1',
]

/** Chooses the ports and writes keys, certificates and kubeconfigs: everything that the servers read. */
export async function layOut(folder: string, binaries: ControlPlaneBinaries, name: string): Promise<ControlPlane> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const [port, etcdPort, etcdPeerPort] = [await freePort(), await freePort(), await freePort()]
  const plane = { folder, binaries, port, etcdPort, etcdPeerPort }
  const authority = createAuthority(AUTHORITY)
  const client = (user: string, group: string): KeyedCertificate =>
    createClientCertificate(authority, AUTHORITY, user, group)
  await writePair(plane, 'ca', authority)
  await writePair(plane, 'server', createServerCertificate(authority, AUTHORITY, HOSTS))
  await writePair(plane, 'etcd-client', client('kube-apiserver', 'system:masters'))
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  await writePrivately(file(plane, 'service-account.key'), privateKey)
  await writePrivately(file(plane, 'service-account.pub'), publicKey)
  await writePair(plane, 'admin', client('admin', 'system:masters'))
  await writePair(plane, 'manager', client('system:kube-controller-manager', 'system:kube-controller-manager'))
  await writeKubeconfigs(plane, name)
  await savePlane(plane)
  return plane
}

/** The kubeconfigs of the person and of the controller manager; written anew when the port changes. */
export async function writeKubeconfigs(plane: ControlPlane, name: string): Promise<void> {
  await writePrivately(kubeconfigFile(plane.folder), await kubeconfigText(plane, 'admin', `control-plane-${name}`))
  await writePrivately(file(plane, 'manager.kubeconfig'), await kubeconfigText(plane, 'manager', 'manager'))
}

export async function savePlane(plane: ControlPlane): Promise<void> {
  await writePrivately(file(plane, PLANE), JSON.stringify(plane))
}

/** What was laid out in a folder; undefined where nothing was, or not to its end. */
export async function readPlane(folder: string): Promise<ControlPlane | undefined> {
  try {
    return { ...(JSON.parse(await readFile(path.join(folder, PLANE), 'utf8')) as ControlPlane), folder }
  } catch {
    return undefined
  }
}

const PLANE = 'control-plane.json'

export function kubeconfigFile(folder: string): string {
  return path.join(folder, 'kubeconfig')
}

/** etcd keeps what it was told: a person's cluster is not thrown away, so it writes through to the disk. */
export function etcdFlags(plane: ControlPlane): readonly string[] {
  const url = `https://127.0.0.1:${plane.etcdPort}`
  const peer = `http://127.0.0.1:${plane.etcdPeerPort}`
  return [
    `--data-dir=${file(plane, 'etcd')}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    // Whoever else is on this machine must not read the Secrets past the API server.
    '--client-cert-auth',
    `--trusted-ca-file=${file(plane, 'ca.crt')}`,
    `--cert-file=${file(plane, 'server.crt')}`,
    `--key-file=${file(plane, 'server.key')}`,
    '--enable-grpc-gateway=false',
    '--log-level=warn',
  ]
}

export function apiServerFlags(plane: ControlPlane): readonly string[] {
  return [
    `--etcd-servers=https://127.0.0.1:${plane.etcdPort}`,
    `--etcd-cafile=${file(plane, 'ca.crt')}`,
    `--etcd-certfile=${file(plane, 'etcd-client.crt')}`,
    `--etcd-keyfile=${file(plane, 'etcd-client.key')}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${plane.port}`,
    `--tls-cert-file=${file(plane, 'server.crt')}`,
    `--tls-private-key-file=${file(plane, 'server.key')}`,
    `--client-ca-file=${file(plane, 'ca.crt')}`,
    '--authorization-mode=RBAC',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file(plane, 'service-account.pub')}`,
    `--service-account-signing-key-file=${file(plane, 'service-account.key')}`,
    `--service-cluster-ip-range=${SERVICE_RANGE}`,
    '--endpoint-reconciler-type=none',
    '--allow-privileged',
    // Pods could not be made where no controller makes their namespace's service account.
    ...(plane.binaries.controllerManager === undefined ? ['--disable-admission-plugins=ServiceAccount'] : []),
  ]
}

export function controllerManagerFlags(plane: ControlPlane): readonly string[] {
  return [
    `--kubeconfig=${file(plane, 'manager.kubeconfig')}`,
    `--service-account-private-key-file=${file(plane, 'service-account.key')}`,
    `--root-ca-file=${file(plane, 'ca.crt')}`,
    `--cluster-signing-cert-file=${file(plane, 'ca.crt')}`,
    `--cluster-signing-key-file=${file(plane, 'ca.key')}`,
    '--use-service-account-credentials',
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
    '--secure-port=0',
  ]
}

async function kubeconfigText(plane: ControlPlane, user: string, name: string): Promise<string> {
  const data = async (part: string): Promise<string> => (await readFile(file(plane, part))).toString('base64')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: { server: `https://127.0.0.1:${plane.port}`, 'certificate-authority-data': await data('ca.crt') },
      },
    ],
    users: [
      {
        name,
        user: { 'client-certificate-data': await data(`${user}.crt`), 'client-key-data': await data(`${user}.key`) },
      },
    ],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  }
  return `${JSON.stringify(config, null, 1)}\n`
}

async function writePair(plane: ControlPlane, name: string, { certPem, keyPem }: KeyedCertificate): Promise<void> {
  await writePrivately(file(plane, `${name}.crt`), certPem)
  await writePrivately(file(plane, `${name}.key`), keyPem)
}

function file({ folder }: { readonly folder: string }, name: string): string {
  return path.join(folder, name)
}
