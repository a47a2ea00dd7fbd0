import path from 'node:path'
import { parse, stringify } from 'yaml'
import type { ClusterSpec, PortMapping } from '../../model/cluster.ts'
import { versionOf } from '../cluster-name.ts'
import { ClustersError } from '../clusters-error.ts'
import { compareVersions } from '../tools/find-binary.ts'

type Fields = Readonly<Record<string, unknown>>

/** A `hosts.toml` of a registry, as containerd reads it (containerd `docs/hosts.md`). */
export type MirrorFile = { readonly registry: string; readonly text: string }

export type KindConfig = {
  readonly text: string
  readonly mirrors: readonly MirrorFile[]
  readonly image: string | undefined
}

const MOST_NODES = 20
/** From this release on, node images look for mirrors in a folder by themselves (kind's notes of v0.27.0). */
const READS_FOLDER = 'v0.27.0'
const MIRRORS_IN_NODE = '/etc/containerd/certs.d'

/**
 * The configuration that kind gets: the person's own with what else is asked for laid over it.
 * @param mirrorFolder a folder on this machine that the nodes see read-only, with one folder a registry
 * @throws ClustersError `unsupported`
 */
export function kindConfig(spec: ClusterSpec, kindVersion: string, mirrorFolder: string): KindConfig {
  const own = readConfig(spec.config)
  const mirrors = (spec.registryMirrors ?? []).map(mirrorFile)
  const nodes = nodesOf(own, spec)
  const ports = (spec.ports ?? []).map(portOf)
  const mounts =
    mirrors.length === 0 ? [] : [{ hostPath: mirrorFolder, containerPath: MIRRORS_IN_NODE, readOnly: true }]
  const whole = nodes.map((node, index) => ({
    ...node,
    ...(index === 0 && ports.length > 0 ? { extraPortMappings: [...listOf(node['extraPortMappings']), ...ports] } : {}),
    ...(mounts.length > 0 ? { extraMounts: [...listOf(node['extraMounts']), ...mounts] } : {}),
  }))
  const patched = mirrors.length > 0 && kindVersion !== '' && compareVersions(kindVersion, READS_FOLDER) < 0
  const patches = [...listOf(own['containerdConfigPatches']), ...(patched ? [FOLDER_PATCH] : [])]
  const config = {
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    ...own,
    nodes: whole,
    ...(patches.length === 0 ? {} : { containerdConfigPatches: patches }),
  }
  return { text: stringify(config, { lineWidth: 0 }), mirrors, image: imageOf(spec) }
}

/** Where a mirror's file belongs below the mirror folder. */
export function mirrorPath(folder: string, { registry }: MirrorFile): string {
  return path.join(folder, registry, 'hosts.toml')
}

const FOLDER_PATCH = `[plugins."io.containerd.grpc.v1.cri".registry]\n  config_path = "${MIRRORS_IN_NODE}"\n`

function readConfig(text: string | undefined): Fields {
  if (text === undefined || text.trim() === '') return {}
  let value: unknown
  try {
    value = parse(text)
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
    throw new ClustersError('unsupported', `the kind configuration is not YAML: ${reason}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ClustersError('unsupported', 'the kind configuration is not a mapping')
  const fields = value as Fields
  const kind = fields['kind'] ?? 'Cluster'
  if (kind !== 'Cluster') throw new ClustersError('unsupported', `the kind configuration is no Cluster`)
  return fields
}

function nodesOf(own: Fields, { nodes }: ClusterSpec): readonly Fields[] {
  const written = listOf(own['nodes']) as readonly Fields[]
  if (nodes === undefined) return written.length === 0 ? [{ role: 'control-plane' }] : written
  if (!Number.isInteger(nodes) || nodes < 1 || nodes > MOST_NODES)
    throw new ClustersError('unsupported', `${nodes} nodes cannot be made; 1 to ${MOST_NODES} can`)
  if (written.length > 0 && written.length !== nodes) {
    throw new ClustersError(
      'unsupported',
      `the kind configuration has ${written.length} nodes, and ${nodes} are asked for`,
      'leave one of the two out',
    )
  }
  if (written.length > 0) return written
  return Array.from({ length: nodes }, (_, index) => ({ role: index === 0 ? 'control-plane' : 'worker' }))
}

function portOf({ host, container, protocol, address }: PortMapping): Fields {
  for (const port of [host, container]) {
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new ClustersError('unsupported', `${port} is not a port`)
  }
  // kind's own default would open it to the whole network.
  return { containerPort: container, hostPort: host, protocol, listenAddress: address ?? '127.0.0.1' }
}

function mirrorFile({ registry, mirror }: { readonly registry: string; readonly mirror: string }): MirrorFile {
  if (!/^[a-z0-9.-]+(:\d+)?$/i.test(registry) || registry.startsWith('.')) {
    throw new ClustersError(
      'unsupported',
      `"${registry}" is not a registry's host`,
      'write it as docker.io or registry.example.com:5000',
    )
  }
  if (!URL.canParse(mirror) || !/^https?:$/.test(new URL(mirror).protocol)) {
    throw new ClustersError(
      'unsupported',
      `"${mirror}" is not the URL of a registry mirror`,
      'write it as https://mirror.example.com',
    )
  }
  const server = registry === 'docker.io' ? 'https://registry-1.docker.io' : `https://${registry}`
  const host = new URL(mirror).href.replace(/\/$/, '')
  return { registry, text: `server = "${server}"\n\n[host."${host}"]\n  capabilities = ["pull", "resolve"]\n` }
}

function imageOf({ image, version }: ClusterSpec): string | undefined {
  if (image !== undefined && image.startsWith('-')) throw new ClustersError('name', `"${image}" is not an image`)
  return image ?? (version === undefined ? undefined : `kindest/node:${versionOf(version)}`)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}
