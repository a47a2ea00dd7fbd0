import type { FoundCluster } from '../provider.ts'

/** As much of a profile as is read. */
type Profile = {
  readonly Name?: string
  readonly Status?: string
  readonly Config?: {
    readonly Driver?: string
    readonly KubernetesConfig?: { readonly KubernetesVersion?: string }
    readonly Nodes?: readonly unknown[] | null
  } | null
}

/** What `minikube profile list --output=json` prints: profiles that can be read, and folders of some that cannot. */
export function profilesOf(text: string): readonly FoundCluster[] {
  const start = text.indexOf('{')
  const { valid, invalid } = (start < 0 ? {} : JSON.parse(text.slice(start))) as {
    readonly valid?: readonly Profile[] | null
    readonly invalid?: readonly Profile[] | null
  }
  const sound = (valid ?? []).map((profile) => foundOf(profile, stateOf(profile.Status ?? '')))
  const broken = (invalid ?? []).map((profile) => foundOf(profile, 'failed', 'its profile cannot be read; delete it'))
  return [...sound, ...broken].filter(({ name }) => name !== '').sort((a, b) => (a.name < b.name ? -1 : 1))
}

function foundOf({ Name, Status, Config }: Profile, state: FoundCluster['state'], detail?: string): FoundCluster {
  const odd = state === 'unknown' || state === 'failed' ? `minikube calls it ${Status ?? 'unknown'}` : ''
  return {
    name: Name ?? '',
    state,
    context: Name ?? '',
    version: Config?.KubernetesConfig?.KubernetesVersion ?? '',
    nodes: Config?.Nodes?.length ?? 0,
    detail: detail ?? (odd === '' ? driverOf(Config?.Driver) : odd),
  }
}

function driverOf(driver: string | undefined): string {
  return driver === undefined || driver === '' ? '' : `driver ${driver}`
}

/** minikube's words changed: `Running` became `OK` in 1.32, and multi-node profiles can be `Degraded`. */
function stateOf(status: string): FoundCluster['state'] {
  switch (status) {
    case 'Running':
    case 'OK':
    case 'HAppy':
      return 'running'
    case 'Stopped':
    case 'Paused':
      return 'stopped'
    case 'Degraded':
    case 'Warning':
      return 'failed'
    default:
      return 'unknown'
  }
}
