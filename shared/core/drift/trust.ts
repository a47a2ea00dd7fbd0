import type { PathElement } from '../../fields/path.ts'
import type { Owner } from '../../model/live.ts'

/** The manager that Plumbline applies as. */
export const FIELD_MANAGER = 'plumbline'

/** Managers whose fields are left alone besides the known controllers: from a setting, a quick fix, ignoreDifferences. */
export type TrustedManagers = ReadonlySet<string>

type Rule = {
  readonly manager: string
  /** Where the manager may write; everywhere when absent. */
  readonly under?: readonly PathElement[]
  /** Only the field of this name, wherever it stands. */
  readonly field?: string
  /** Why the manager is trusted: the upstream component that calls itself so. */
  readonly source: string
}

/** Controllers and injectors that write into objects people put in Git. People's tools are not here, kubectl first of all. */
const KNOWN_CONTROLLERS: readonly Rule[] = [
  { manager: 'kube-controller-manager', source: 'kubernetes cmd/kube-controller-manager' },
  { manager: 'cloud-controller-manager', source: 'kubernetes cloud-provider' },
  { manager: 'kube-scheduler', source: 'kubernetes cmd/kube-scheduler' },
  { manager: 'kube-apiserver', source: 'kubernetes cmd/kube-apiserver' },
  { manager: 'kubelet', source: 'kubernetes cmd/kubelet' },
  { manager: 'clusterrole-aggregation-controller', source: 'kubernetes pkg/controller/clusterroleaggregation' },
  { manager: 'cainjector', field: 'caBundle', source: 'cert-manager cmd/cainjector' },
  { manager: 'cert-manager-cainjector', field: 'caBundle', source: 'cert-manager cmd/cainjector' },
  { manager: 'pilot-discovery', field: 'caBundle', source: 'istio pilot/pkg/webhooks' },
  { manager: 'keda', under: ['f:spec', 'f:replicas'], source: 'kedacore/keda scale executor' },
  { manager: 'vpa-admission-controller', source: 'kubernetes/autoscaler vertical-pod-autoscaler' },
  { manager: 'csi-provisioner', source: 'kubernetes-csi/external-provisioner' },
  { manager: 'csi-resizer', source: 'kubernetes-csi/external-resizer' },
  {
    manager: 'kubectl-rollout',
    under: ['f:spec', 'f:template', 'f:metadata', 'f:annotations', 'f:kubectl.kubernetes.io/restartedAt'],
    source: 'kubectl pkg/polymorphichelpers/objectrestarter.go',
  },
]

const RULES: ReadonlyMap<string, readonly Rule[]> = Map.groupBy(KNOWN_CONTROLLERS, (rule) => rule.manager)

/** Whether a field that this owner set is left to it. */
export function isTrusted(owner: Owner, fields: readonly PathElement[], trusted: TrustedManagers): boolean {
  if (trusted.has(owner.manager)) return true
  // Who writes through /scale or /status is a controller, but `kubectl scale` is a person.
  if (owner.subresource !== '' && !owner.manager.startsWith('kubectl')) return true
  return (RULES.get(owner.manager) ?? []).some((rule) => allows(rule, fields))
}

/** Whether an owner can be trusted with anything at all; spares the walk through its fields. */
export function mayBeTrusted(owner: Owner, trusted: TrustedManagers): boolean {
  return trusted.has(owner.manager) || owner.subresource !== '' || RULES.has(owner.manager)
}

/** Plumbline's own entries: what it applied, and what its removals touched. */
export function isOurs(owner: Owner): boolean {
  return owner.manager === FIELD_MANAGER && owner.subresource === ''
}

function allows(rule: Rule, fields: readonly PathElement[]): boolean {
  if (rule.field !== undefined && fields.at(-1) !== `f:${rule.field}`) return false
  return rule.under === undefined || rule.under.every((element, index) => fields[index] === element)
}
