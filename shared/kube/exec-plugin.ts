import { run } from '../base/process.ts'
import type { Completion } from '../base/process.ts'
import { redact } from '../base/redact.ts'
import { assertNever } from '../base/assert-never.ts'
import { CancelledError } from '../base/abort.ts'
import { isObject, parseJson } from '../model/json.ts'
import type { Json, JsonObject } from '../model/json.ts'
import type { Cancellable } from '../model/ports.ts'
import { ClusterError } from './cluster-error.ts'
import type { Credentials } from './credentials.ts'
import type { ExecPlugin, KubeCluster } from './kubeconfig.ts'

/** A login in a browser takes a person's time. */
const timeoutMs = 120_000

/**
 * Runs a kubeconfig's `exec` plugin by the ExecCredential protocol (client-go `plugin/pkg/client/auth/exec`).
 * client-node's own runner sets no KUBERNETES_EXEC_INFO, which plugins read their version and cluster from.
 * @throws ClusterError `credentials` with what the plugin wrote to stderr
 */
export async function runExecPlugin(
  plugin: ExecPlugin,
  cluster: KubeCluster,
  { signal }: Cancellable,
): Promise<Credentials> {
  const { command } = plugin
  if (command === '') throw new ClusterError('config', 'the exec plugin of the kubeconfig has no command')
  if (plugin.interactiveMode === 'Always') {
    throw new ClusterError('credentials', `${command} needs a terminal (interactiveMode: Always)`)
  }
  const own = Object.fromEntries(plugin.env.map(({ name, value }) => [name, value]))
  const env = { ...process.env, ...own, KUBERNETES_EXEC_INFO: JSON.stringify(execInfo(plugin, cluster)) }
  const completion = await run(command, plugin.args, { env, timeoutMs, signal })
  return credentialsOf(outputOf(completion, plugin), command)
}

function execInfo(plugin: ExecPlugin, cluster: KubeCluster): unknown {
  const info = {
    server: cluster.server,
    'tls-server-name': cluster.tlsServerName || undefined,
    'insecure-skip-tls-verify': cluster.insecure || undefined,
    'certificate-authority-data': cluster.caData || undefined,
    'proxy-url': cluster.proxyUrl || undefined,
    'disable-compression': cluster.disableCompression || undefined,
    config: cluster.execConfig,
  }
  return {
    kind: 'ExecCredential',
    apiVersion: plugin.apiVersion || 'client.authentication.k8s.io/v1',
    spec: { interactive: false, ...(plugin.provideClusterInfo ? { cluster: info } : {}) },
  }
}

function outputOf(completion: Completion, plugin: ExecPlugin): string {
  const { command } = plugin
  switch (completion.kind) {
    case 'exited': {
      if (completion.code === 0) return completion.stdout.toString('utf8')
      throw failed(command, `exit status ${completion.code}`, completion.stderr)
    }
    case 'not-found': {
      const hint = plugin.installHint === '' ? '' : `\n${plugin.installHint}`
      throw new ClusterError('credentials', `the kubeconfig logs in with ${command}, which is not installed${hint}`)
    }
    case 'cancelled':
      throw new CancelledError()
    case 'timed-out':
      throw failed(command, `no answer in ${completion.timeoutMs / 1000} s`, completion.stderr)
    case 'too-much-output':
      throw failed(command, 'too much output', completion.stderr)
    case 'failed':
      throw failed(command, completion.error.message, completion.stderr)
    default:
      return assertNever(completion)
  }
}

function failed(command: string, reason: string, stderr: string): ClusterError {
  const said = redact(stderr.trim())
  return new ClusterError('credentials', `${command} gave no credentials: ${reason}${said === '' ? '' : `\n${said}`}`)
}

function credentialsOf(output: string, command: string): Credentials {
  const status = statusOf(output)
  const token = textOf(status?.['token'])
  const cert = textOf(status?.['clientCertificateData'])
  const key = textOf(status?.['clientKeyData'])
  if (token === undefined && (cert === undefined || key === undefined)) {
    throw new ClusterError('credentials', `${command} gave no credentials: no token and no certificate in its answer`)
  }
  const expires = Date.parse(textOf(status?.['expirationTimestamp']) ?? '')
  return {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
    ...(Number.isNaN(expires) ? {} : { expiresAt: expires }),
  }
}

function statusOf(output: string): JsonObject | undefined {
  try {
    const answer = parseJson(output)
    const status = isObject(answer) ? answer['status'] : undefined
    return isObject(status) ? status : undefined
  } catch {
    return undefined
  }
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
