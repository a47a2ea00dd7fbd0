import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { transcript } from './tool-transcript.ts'

// A double of the minikube CLI: it replays what the real one once printed, and remembers profiles in a file. Which transcript
// a start replays, `MINIKUBE_DOUBLE_START` says; with `hang` it prints one line and then nothing.

type Profiles = Record<
  string,
  { readonly status: string; readonly version: string; readonly driver: string; readonly nodes: number }
>

const folder = process.env['MINIKUBE_DOUBLE'] ?? ''
const file = path.join(folder, 'profiles.json')
const profiles: Profiles = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Profiles) : {}
const args = process.argv.slice(2)
appendFileSync(path.join(folder, 'calls.jsonl'), `${JSON.stringify(args)}\n`)
const [verb = ''] = args
const name = valueOf('--profile') ?? 'minikube'

switch (verb) {
  case 'version':
    process.stdout.write('v1.38.1\n')
    break
  case 'profile':
    listProfiles()
    break
  case 'start':
    await start()
    break
  case 'stop':
    replay('minikube-stop')
    keep({ ...profiles, [name]: { ...(profiles[name] ?? made()), status: 'Stopped' } })
    break
  case 'delete': {
    const { [name]: _, ...others } = profiles
    keep(others)
    break
  }
  case 'logs':
    writeFileSync(valueOf('--file') ?? '', 'the logs of a double\n')
    break
  default:
    break
}

async function start(): Promise<void> {
  const how = process.env['MINIKUBE_DOUBLE_START'] ?? 'minikube-start'
  if (how === 'hang') {
    keep({ ...profiles, [name]: { ...made(), status: 'Unknown' } })
    process.stdout.write(`${transcript('minikube-start').stdout.split('\n')[0]}\n`)
    await new Promise((resolve) => setTimeout(resolve, 600_000))
  }
  if (replay(how) === 0) keep({ ...profiles, [name]: made() })
}

function made(): Profiles[string] {
  const version = valueOf('--kubernetes-version') ?? 'v1.36.2'
  return { status: 'OK', version, driver: valueOf('--driver') ?? 'docker', nodes: Number(valueOf('--nodes') ?? '1') }
}

function listProfiles(): void {
  if (Object.keys(profiles).length === 0) return void replay('minikube-profile-list-none')
  const valid = Object.entries(profiles).map(([Name, { status, version, driver, nodes }]) => ({
    Name,
    Status: status,
    Config: {
      Name,
      Driver: driver,
      KubernetesConfig: { KubernetesVersion: version },
      Nodes: Array.from({ length: nodes }, () => ({})),
    },
  }))
  process.stdout.write(`${JSON.stringify({ invalid: [], valid })}\n`)
}

function replay(which: string): number {
  const { stdout, stderr, code } = transcript(which)
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  process.exitCode = code
  return code
}

function keep(next: Profiles): void {
  writeFileSync(file, JSON.stringify(next))
}

function valueOf(flag: string): string | undefined {
  return args.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1)
}
