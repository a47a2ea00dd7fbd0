import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

// A double of the docker CLI, for the real kind to talk to: it keeps containers in a file, makes none, and answers what kind
// asks of a node as a healthy node would. Nothing that it says is proof of a cluster.

type Container = { readonly labels: Record<string, string>; readonly image: string; readonly running: boolean }

const folder = process.env['DOCKER_DOUBLE'] ?? ''
// One file a container: kind runs several of us at once.
const store = path.join(folder, 'containers')
mkdirSync(store, { recursive: true })
const args = process.argv.slice(2)
appendFileSync(path.join(folder, 'calls.jsonl'), `${JSON.stringify(args)}\n`)

const INFO = {
  ID: 'double',
  Driver: 'overlay2',
  DriverStatus: [['Backing Filesystem', 'extfs']],
  SecurityOptions: ['name=seccomp,profile=builtin', 'name=cgroupns'],
  CgroupDriver: 'systemd',
  CgroupVersion: '2',
  MemoryLimit: true,
  PidsLimit: true,
  CPUShares: true,
  ServerVersion: '28.0.0',
  OSType: 'linux',
  Architecture: 'x86_64',
}

const KUBECONFIG = `apiVersion: v1
kind: Config
clusters:
- {name: kubernetes, cluster: {server: "https://dev-control-plane:6443", certificate-authority-data: QQ==}}
users:
- {name: kubernetes-admin, user: {token: double}}
contexts:
- {name: kubernetes-admin@kubernetes, context: {cluster: kubernetes, user: kubernetes-admin}}
current-context: kubernetes-admin@kubernetes
`

const CONTAINERD = `version = 3
[plugins]
  [plugins.'io.containerd.cri.v1.images']
    snapshotter = 'overlayfs'`

const [verb = '', ...rest] = args
if (process.env['DOCKER_DOUBLE_FAILS'] === verb) fail(`the double was told to fail at ${verb}`)
const answers: Readonly<Record<string, () => string>> = {
  '-v': () => 'Docker version 28.0.0, build double',
  version: () => '28.0.0',
  info: () => infoOf(valueOf('--format') ?? valueOf('-f') ?? ''),
  ps: list,
  run,
  rm: remove,
  start: () => turn(true),
  stop: () => turn(false),
  logs: () => 'Reached target Multi-User System.',
  exec,
  inspect,
  save: () => (writeFileSync(valueOf('-o') ?? path.join(folder, 'image.tar'), 'an image'), ''),
  image: () => 'sha256:0000000000000000000000000000000000000000000000000000000000000001',
}
const answer = answers[verb]?.() ?? ''
if (answer !== '') process.stdout.write(`${answer}\n`)

function infoOf(format: string): string {
  if (format.includes('SecurityOptions')) return `'${JSON.stringify(INFO.SecurityOptions)}'`
  if (format.includes('DriverStatus')) return JSON.stringify(INFO.DriverStatus)
  return format.includes('.Driver') ? INFO.Driver : JSON.stringify(INFO)
}

function list(): string {
  const wanted = allOf('--filter')
    .flatMap((filter) => filter.replace(/^label=/, '').split(','))
    .map((text) => text.split('='))
  const format = valueOf('--format') ?? '{{.Names}}'
  return all()
    .filter(([, { labels }]) =>
      wanted.every(([key = '', value]) => key in labels && (value === undefined || labels[key] === value)),
    )
    .map(([name, container]) => fill(format, name, container))
    .join('\n')
}

function fill(format: string, name: string, { labels, image, running }: Container): string {
  const status = running ? 'Up 5 seconds' : 'Exited (130) 2 seconds ago'
  const plain = { '.Names': name, '.Status': status, '.Image': image, '.CreatedAt': '2026-11-20 12:00:00 +0000 UTC' }
  return format
    .replaceAll(/^'|'$/g, '')
    .replaceAll(/\{\{\s*\.Label "([^"]+)"\s*\}\}/g, (_, key: string) => labels[key] ?? '')
    .replaceAll(/\{\{\s*(\.\w+)\s*\}\}/g, (_, key: string) => plain[key as keyof typeof plain] ?? '')
}

function run(): string {
  const labels = Object.fromEntries(allOf('--label').map((text) => text.split('=') as [string, string]))
  keep(valueOf('--name') ?? '', { labels, image: rest.at(-1) ?? '', running: true })
  return '0'.repeat(64)
}

function remove(): string {
  for (const name of rest) rmSync(path.join(store, name), { force: true })
  return ''
}

function turn(running: boolean): string {
  for (const name of rest) {
    const container = named(name)
    if (container === undefined) fail(`Error response from daemon: No such container: ${name}`)
    keep(name, { ...container, running })
  }
  return rest.join('\n')
}

function exec(): string {
  const words = rest.filter((word) => !word.startsWith('-') || word.includes('='))
  const command = words.slice(1).join(' ')
  if (rest.includes('-i')) readFileSync(0)
  if (command.includes('/kind/version')) return 'v1.34.0'
  if (command.includes('admin.conf') && command.startsWith('cat')) return KUBECONFIG
  if (command.includes('/readyz')) return 'ok'
  if (command.includes('get nodes')) return "'True'"
  if (command.includes('containerd config dump')) return CONTAINERD
  return ''
}

function inspect(): string {
  const format = valueOf('-f') ?? valueOf('--format') ?? ''
  const label = /\.Config\.Labels "([^"]+)"/.exec(format)?.[1]
  if (label !== undefined) return named(rest.at(-1) ?? '')?.labels[label] ?? ''
  if (format.includes('IPAddress')) return '172.18.0.2,fc00:f853:ccd:e793::2'
  if (format.includes('Ports')) return '127.0.0.1\t45678'
  return format.includes('.Id') ? 'sha256:0001' : '[]'
}

function all(): readonly (readonly [string, Container])[] {
  return readdirSync(store).flatMap((name) => {
    const container = name.endsWith('.tmp') ? undefined : named(name)
    return container === undefined ? [] : [[name, container] as const]
  })
}

function named(name: string): Container | undefined {
  try {
    return JSON.parse(readFileSync(path.join(store, name), 'utf8')) as Container
  } catch {
    return undefined
  }
}

function keep(name: string, container: Container): void {
  const file = path.join(store, name)
  writeFileSync(`${file}.${process.pid}.tmp`, JSON.stringify(container))
  renameSync(`${file}.${process.pid}.tmp`, file)
}

function valueOf(flag: string): string | undefined {
  return allOf(flag)[0]
}

function allOf(flag: string): readonly string[] {
  return args.flatMap((word, index) => {
    if (word.startsWith(`${flag}=`)) return [word.slice(flag.length + 1)]
    return word === flag ? [args[index + 1] ?? ''] : []
  })
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
