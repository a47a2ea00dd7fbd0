import { assertNever } from '../../base/assert-never.ts'
import { sha256 } from '../../base/digest.ts'
import type { AccessRule, AgentApplications, AgentInstallOptions } from '../../model/agent-install.ts'
import { canonicalJson, type Json, type JsonObject } from '../../model/json.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { ClustersError } from '../clusters-error.ts'
import { EPOCH_RULES, everythingIn, rulesByNamespace, storeRules, type PolicyRule } from './agent-roles.ts'

/** The namespace of the agent and of the store; they are one, so that an agent needs no second. */
export const AGENT_NAMESPACE = 'plumbline'
export const AGENT_NAME = 'plumbline-agent'

/** What an installation's objects carry, and an uninstallation looks for. */
export const AGENT_LABELS = {
  'app.kubernetes.io/name': AGENT_NAME,
  'app.kubernetes.io/managed-by': 'plumbline',
} as const
export const AGENT_SELECTOR = Object.entries(AGENT_LABELS)
  .map(([key, value]) => `${key}=${value}`)
  .join(',')

const RBAC = 'rbac.authorization.k8s.io'
/** A ConfigMap may hold 1 MiB in all. */
const MOST_BYTES = 1_000_000
const APPLICATIONS_FOLDER = '/etc/plumbline/applications'
const WORK_FOLDER = '/var/lib/plumbline'

/** Everything that an agent in a cluster is made of, in the order in which it is applied. @throws ClustersError `unsupported` */
export function agentManifests(options: AgentInstallOptions): readonly KubeObject[] {
  const { applications, access, missingNamespaces } = options
  const config = configOf(applications)
  // The applications' own: they stay when the agent goes.
  const others = missingNamespaces.filter((name) => name !== AGENT_NAMESPACE)
  const namespaces = [
    named('v1', 'Namespace', '', {}, AGENT_NAMESPACE),
    ...others.map((name): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
  ]
  return [
    // Who may not see beyond their namespaces cannot make one either.
    ...(access.kind === 'namespaces' ? [] : namespaces),
    named('v1', 'ServiceAccount', AGENT_NAMESPACE, {}),
    ...rolesOf(options),
    named('v1', 'ConfigMap', AGENT_NAMESPACE, { data: config }),
    named('apps/v1', 'Deployment', AGENT_NAMESPACE, { spec: deploymentSpec(options, config) }),
  ]
}

function rolesOf({ access, applications }: AgentInstallOptions): readonly KubeObject[] {
  const own = [...storeRules(AGENT_NAMESPACE), ...applicationRules(applications)]
  switch (access.kind) {
    case 'least':
      return bound([...own, ...EPOCH_RULES, ...access.rules])
    case 'everything':
      return bound([...own, everythingIn('')])
    case 'namespaces': {
      const { namespaces, rules } = access
      const outside = rules?.filter(({ namespace }) => !namespaces.includes(namespace) && namespace !== AGENT_NAMESPACE)
      if (outside !== undefined && outside.length > 0) throw beyond(outside, namespaces)
      return bound([...own, ...(rules ?? namespaces.map(everythingIn))])
    }
    default:
      return assertNever(access)
  }
}

function applicationRules(applications: AgentApplications): readonly AccessRule[] {
  if (applications.kind !== 'cluster') return []
  const { namespace } = applications
  return ['applications', 'appprojects'].map((resource) => ({
    namespace,
    group: 'argoproj.io',
    resource,
    verbs: ['list'],
  }))
}

function bound(rules: readonly AccessRule[]): readonly KubeObject[] {
  return [...rulesByNamespace(rules)].flatMap(([namespace, policy]) => {
    const kind = namespace === '' ? 'ClusterRole' : 'Role'
    return [roleOf(kind, namespace, policy), bindingOf(kind, namespace)]
  })
}

function roleOf(kind: 'Role' | 'ClusterRole', namespace: string, rules: readonly PolicyRule[]): KubeObject {
  return named(`${RBAC}/v1`, kind, namespace, { rules: rules })
}

function bindingOf(kind: 'Role' | 'ClusterRole', namespace: string): KubeObject {
  return named(`${RBAC}/v1`, `${kind}Binding`, namespace, {
    roleRef: { apiGroup: RBAC, kind, name: AGENT_NAME },
    subjects: [{ kind: 'ServiceAccount', name: AGENT_NAME, namespace: AGENT_NAMESPACE }],
  })
}

function named(
  apiVersion: string,
  kind: string,
  namespace: string,
  rest: JsonObject,
  name: string = AGENT_NAME,
): KubeObject {
  const metadata = { name, ...(namespace === '' ? {} : { namespace }), labels: AGENT_LABELS }
  return { apiVersion, kind, metadata, ...rest }
}

/** Keys of a ConfigMap take no slash; the agent finds files by their content, not by their path. */
function configOf(applications: AgentApplications): Readonly<Record<string, string>> {
  if (applications.kind !== 'files') return {}
  const entries = Object.entries(applications.files).map(([file, text], index) => {
    const base = file.split('/').at(-1) ?? ''
    return [`${String(index).padStart(4, '0')}-${base.replaceAll(/[^A-Za-z0-9._-]/g, '_')}`, text] as const
  })
  const bytes = entries.reduce((sum, [key, text]) => sum + key.length + Buffer.byteLength(text), 0)
  if (bytes > MOST_BYTES) {
    const message = `the Application files have ${bytes} bytes, more than a ConfigMap holds`
    throw new ClustersError('unsupported', message, 'let the agent read them from Git: --repo URL')
  }
  return Object.fromEntries(entries)
}

function deploymentSpec(options: AgentInstallOptions, config: Readonly<Record<string, string>>): JsonObject {
  const { image, pullPolicy, replicas } = options
  return {
    replicas,
    selector: { matchLabels: { 'app.kubernetes.io/name': AGENT_NAME } },
    template: {
      metadata: {
        labels: AGENT_LABELS,
        // Other files are another agent: its pods are made anew.
        annotations: { 'plumbline.dev/config': sha256(canonicalJson(config)).slice(0, 16) },
      },
      spec: {
        serviceAccountName: AGENT_NAME,
        automountServiceAccountToken: true,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 10_001,
          runAsGroup: 10_001,
          fsGroup: 10_001,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [
          {
            name: 'agent',
            image,
            imagePullPolicy: pullPolicy,
            args: argumentsOf(options.applications),
            env: environment(),
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
            resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '512Mi' } },
            volumeMounts: [
              { name: 'applications', mountPath: APPLICATIONS_FOLDER, readOnly: true },
              { name: 'work', mountPath: WORK_FOLDER },
            ],
          },
        ],
        volumes: [
          { name: 'applications', configMap: { name: AGENT_NAME } },
          { name: 'work', emptyDir: {} },
        ],
      },
    },
  }
}

function argumentsOf(applications: AgentApplications): readonly string[] {
  switch (applications.kind) {
    case 'files':
      return ['agent', 'run', '--apps', APPLICATIONS_FOLDER]
    case 'git': {
      const { repoURL, revision, path } = applications
      return ['agent', 'run', '--repo', repoURL, '--revision', revision, '--path', path]
    }
    case 'cluster':
      return ['agent', 'run', '--from-cluster', applications.namespace]
    default:
      return assertNever(applications)
  }
}

/** The image's file system cannot be written; what an agent keeps goes to a folder that ends with its pod. */
function environment(): Json {
  const own = {
    HOME: WORK_FOLDER,
    XDG_CACHE_HOME: `${WORK_FOLDER}/cache`,
    XDG_STATE_HOME: `${WORK_FOLDER}/state`,
    TMPDIR: WORK_FOLDER,
  }
  return [
    ...Object.entries(own).map(([name, value]) => ({ name, value })),
    { name: 'PLUMBLINE_AGENT', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ]
}

function beyond(rules: readonly AccessRule[], namespaces: readonly string[]): ClustersError {
  const some = [
    ...new Set(rules.map(({ namespace, resource }) => (namespace === '' ? resource : `${resource} in ${namespace}`))),
  ]
  const message = `the applications need more than the namespaces ${namespaces.join(', ')}: ${some.slice(0, 6).join(', ')}`
  return new ClustersError('unsupported', message, 'name those namespaces too, or install without --namespace-scoped')
}
