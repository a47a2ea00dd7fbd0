import type { FormField, FormValue, ProviderShown } from '../../shared/model/front.ts'
import { CLUSTER_PROVIDERS, type ClusterSpec, type ProviderRow, type SpecField } from '../../shared/model/cluster.ts'
import { HostError } from './host-error.ts'

type Question = Pick<FormField, 'title' | 'description' | 'kind'>

/** What a new cluster may be asked for, the first three at once. The order is that of the form. */
const QUESTIONS: Readonly<Record<SpecField, Question>> = {
  version: { title: 'Kubernetes version', description: 'Empty: what the provider brings.', kind: 'text' },
  nodes: { title: 'Nodes', description: 'All of them, the control plane included.', kind: 'number' },
  driver: { title: 'Driver', description: 'docker, podman, kvm2… Empty: what minikube finds.', kind: 'text' },
  cpus: { title: 'CPUs', description: 'For each node.', kind: 'number' },
  memory: { title: 'Memory', description: 'For each node: 4g, 4096m.', kind: 'text' },
  disk: { title: 'Disk', description: 'For each node: 20g.', kind: 'text' },
  image: { title: 'Node image', description: 'In place of the one that fits the version.', kind: 'text' },
  ports: {
    title: 'Ports',
    description: 'One a line: 8080:30080 or 8080:30080/UDP, of this machine and of the node.',
    kind: 'list',
  },
  registryMirrors: {
    title: 'Registry mirrors',
    description: 'One a line: docker.io=https://mirror.example',
    kind: 'list',
  },
  config: { title: 'kind configuration', description: 'YAML that the answers above are laid over.', kind: 'multiline' },
}

/** @param taken clusters that there are, as `provider/name` */
export function providerShown(row: ProviderRow, taken: ReadonlySet<string>): ProviderShown {
  const { provider, title, summary, state, tools, fields, versions, suggestedName } = row
  const order = Object.keys(QUESTIONS) as SpecField[]
  return {
    name: provider,
    title,
    description: summary,
    ready: state === 'ready',
    found: tools
      .filter((tool) => tool.state === 'found')
      .map(({ tool, version }) => `${tool} ${version}`.trim())
      .join(', '),
    missing: tools
      .filter((tool) => tool.state !== 'found')
      .map(({ tool, next }) => ({ what: tool, todo: next, url: '' })),
    fields: [
      {
        key: 'name',
        title: 'Name',
        description: '',
        kind: 'text',
        choices: [],
        value: freeName(provider, suggestedName, taken),
        required: true,
      },
      ...order.filter((key) => fields.includes(key)).map((key) => fieldOf(key, versions)),
    ],
  }
}

function freeName(provider: string, name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let count = 2; taken.has(`${provider}/${free}`); count += 1) free = `${name}-${count}`
  return free
}

function fieldOf(key: SpecField, versions: readonly string[]): FormField {
  const question = QUESTIONS[key]
  const choices = key === 'version' ? versions : []
  const kind = choices.length > 0 ? 'choice' : question.kind
  const value = key === 'nodes' ? 1 : kind === 'list' ? [] : kind === 'number' ? 0 : (choices[0] ?? '')
  return { key, ...question, kind, choices, value, required: false }
}

/** The cluster that the answers describe. @throws HostError where one of them means nothing */
export function specOf(provider: string, answers: Readonly<Record<string, FormValue>>): ClusterSpec {
  const known = CLUSTER_PROVIDERS.find((one) => one === provider)
  if (known === undefined) throw new HostError('params', `there is no provider ${provider}`)
  const word = (key: string): string => String(answers[key] ?? '').trim()
  const lines = (key: string): readonly string[] => {
    const value = answers[key]
    return Array.isArray(value) ? value.map((line: string) => line.trim()).filter((line) => line !== '') : []
  }
  const words = (['version', 'driver', 'memory', 'disk', 'image', 'config'] as const).filter((key) => word(key) !== '')
  const numbers = (['nodes', 'cpus'] as const).filter((key) => Number(word(key)) > 0)
  const ports = lines('ports').map(portOf)
  const registryMirrors = lines('registryMirrors').map(mirrorOf)
  return {
    provider: known,
    name: word('name'),
    ...Object.fromEntries(words.map((key) => [key, word(key)])),
    ...Object.fromEntries(numbers.map((key) => [key, Number(word(key))])),
    ...(ports.length === 0 ? {} : { ports }),
    ...(registryMirrors.length === 0 ? {} : { registryMirrors }),
  }
}

function portOf(line: string): NonNullable<ClusterSpec['ports']>[number] {
  const [, host, container, protocol = 'TCP'] = /^(\d{1,5}):(\d{1,5})(?:\/(TCP|UDP|SCTP))?$/i.exec(line) ?? []
  if (host === undefined || container === undefined)
    throw new HostError('refused', `"${line}" is no port mapping: write 8080:30080, this machine's port first`)
  return {
    host: Number(host),
    container: Number(container),
    protocol: protocol.toUpperCase() as 'TCP' | 'UDP' | 'SCTP',
  }
}

function mirrorOf(line: string): NonNullable<ClusterSpec['registryMirrors']>[number] {
  const [, registry, mirror] = /^([\w.:-]+)\s*=\s*(https?:\/\/\S+)$/.exec(line) ?? []
  if (registry === undefined || mirror === undefined)
    throw new HostError('refused', `"${line}" is no mirror: write docker.io=https://mirror.example`)
  return { registry, mirror }
}
