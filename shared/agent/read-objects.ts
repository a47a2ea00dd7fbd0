import type { KubeObject, ResourceId } from '../model/kubernetes.ts'
import type { Cancellable } from '../model/ports.ts'
import { maskSecret } from '../view/hidden.ts'
import { toYaml, toYamlStream } from '../view/yaml.ts'
import { AgentError } from './agent-error.ts'
import type { HostedSession } from './hosted-session.ts'

/** One object as the cluster has it now, as YAML. @throws ClusterError, AgentError `failed` where it is gone */
export async function liveYaml(
  hosted: HostedSession,
  { application, id, version }: { readonly application: string; readonly id: ResourceId; readonly version: string },
  options: Cancellable,
): Promise<string> {
  const cluster = await hosted.session.clusterOf(await hosted.application(application))
  const live = await cluster.read({ group: id.group, version, kind: id.kind }, id, options)
  if (live === undefined) throw new AgentError('failed', `${id.kind} ${id.name} is not in the cluster`, 'not-found')
  return toYaml(maskSecret(live.object))
}

/** All that an application wants, or has in the cluster, as a stream of YAML documents. */
export async function manifestsYaml(
  hosted: HostedSession,
  { application, source }: { readonly application: string; readonly source: 'git' | 'live' },
  options: Cancellable,
): Promise<string> {
  const pass = await hosted.pass(application, options)
  const { failure } = pass.snapshot
  if (failure !== undefined) throw new AgentError('failed', failure.message, failure.reason)
  const objects: readonly KubeObject[] =
    source === 'live'
      ? [...pass.live.values()].map(({ object }) => object)
      : [...(pass.desired?.objects.values() ?? [])].map(({ object }) => object)
  return toYamlStream(objects.map(maskSecret))
}

/** A file as the application's revision has it; null where no source of it has such a file. */
export async function committedText(
  hosted: HostedSession,
  { application, file }: { readonly application: string; readonly file: string },
  options: Cancellable,
): Promise<string | null> {
  const { session } = hosted
  for (const source of (await hosted.application(application)).sources) {
    if (source.chart !== undefined) continue
    try {
      const checkout = await session.source.resolve(source, options)
      return Buffer.from(await checkout.read(file, options)).toString('utf8')
    } catch {
      // Another source may have it.
    }
  }
  return null
}
