import type { ClusterShown, ContextShown, ProviderShown } from '../../../shared/model/front.ts'

export const CLUSTERS: readonly ClusterShown[] = [
  cluster('kind-dev', {
    provider: 'kind',
    version: 'v1.36.1',
    nodes: 3,
    state: 'running',
    current: true,
    ours: true,
    applications: 2,
    actions: ['stop', 'delete', 'install-agent', 'load-image', 'export-logs'],
  }),
  cluster('embedded', {
    provider: 'embedded',
    version: 'v1.36.2',
    state: 'running',
    simulated: true,
    ours: true,
    actions: ['use', 'stop', 'delete'],
  }),
  cluster('prod-eu', { provider: 'context', state: 'unknown', production: true, actions: ['use', 'install-agent'] }),
  cluster('old-tests', {
    provider: 'minikube',
    version: 'v1.34.0',
    nodes: 1,
    state: 'broken',
    ours: false,
    message: 'the container of its node is gone: docker was reset',
    actions: ['start', 'delete'],
  }),
]

function cluster(name: string, more: Partial<ClusterShown>): ClusterShown {
  return {
    name,
    provider: '',
    context: name,
    version: '',
    nodes: 0,
    state: 'running',
    message: '',
    createdAt: new Date(Date.now() - 90_000_000).toISOString(),
    applications: 0,
    ours: false,
    current: false,
    production: false,
    simulated: false,
    actions: [],
    ...more,
  }
}

export const CONTEXTS: readonly ContextShown[] = [
  {
    name: 'kind-dev',
    cluster: 'kind-dev',
    server: 'https://127.0.0.1:40123',
    user: 'kind-dev',
    auth: 'certificate',
    namespace: 'default',
    file: '~/.kube/config',
    current: true,
    chosen: true,
    production: false,
    simulated: false,
  },
  {
    name: 'embedded',
    cluster: 'embedded',
    server: '',
    user: '',
    auth: '',
    namespace: '',
    file: '',
    current: false,
    chosen: false,
    production: false,
    simulated: true,
  },
  {
    name: 'prod-eu',
    cluster: 'arn:aws:eks:eu-central-1:123456789012:cluster/production-of-the-whole-company',
    server: 'https://0123456789ABCDEF.gr7.eu-central-1.eks.amazonaws.com',
    user: 'ada',
    auth: 'exec',
    namespace: 'web',
    file: '~/.kube/prod',
    current: false,
    chosen: false,
    production: true,
    simulated: false,
  },
]

export const PROVIDERS: readonly ProviderShown[] = [
  {
    name: 'embedded',
    title: 'Embedded',
    description: 'In memory, in a second. No pods run.',
    ready: true,
    found: 'built in',
    missing: [],
    fields: [
      { key: 'name', title: 'Name', description: '', kind: 'text', choices: [], value: 'embedded-2', required: true },
    ],
  },
  {
    name: 'kind',
    title: 'kind',
    description: 'Real nodes in containers.',
    ready: false,
    found: 'kind 0.31.0',
    missing: [{ what: 'docker', todo: 'Install Docker or Podman and start it.', url: '' }],
    fields: [
      { key: 'name', title: 'Name', description: '', kind: 'text', choices: [], value: 'dev', required: true },
      {
        key: 'version',
        title: 'Kubernetes version',
        description: '',
        kind: 'choice',
        choices: ['v1.36.1', 'v1.35.4'],
        value: 'v1.36.1',
        required: false,
      },
      { key: 'nodes', title: 'Nodes', description: '', kind: 'number', choices: [], value: 1, required: false },
      {
        key: 'ports',
        title: 'Ports',
        description: 'One a line: 8080:30080',
        kind: 'list',
        choices: [],
        value: [],
        required: false,
      },
    ],
  },
]
