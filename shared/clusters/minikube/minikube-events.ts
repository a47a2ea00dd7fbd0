import type { ClusterEvent } from '../../model/cluster.ts'

const TYPE = 'io.k8s.sigs.minikube.'

type Data = Readonly<Record<string, string | undefined>>

/** What a line of `minikube start --output=json` tells (CloudEvents, minikube's `pkg/minikube/out/register`). */
export function minikubeEvent(line: string): ClusterEvent | undefined {
  const told = parse(line)
  if (told === undefined) return line.trim() === '' ? undefined : { kind: 'line', text: line.trim() }
  const { type, data } = told
  const message = (data['message'] ?? '').trim()
  switch (type) {
    case 'step':
      return stepOf(data, message)
    case 'download.progress':
      return { kind: 'download', what: data['artifact'] ?? 'download', received: shareOf(data['progress']), total: 100 }
    case 'download':
      return { kind: 'line', text: `Downloading ${data['artifact'] ?? ''}`.trim() }
    default:
      return message === '' ? undefined : { kind: 'line', text: message }
  }
}

function stepOf(data: Data, message: string): ClusterEvent {
  const title = data['name'] === undefined || data['name'] === '' ? message : data['name']
  const [current, total] = [Number(data['currentstep'] ?? ''), Number(data['totalsteps'] ?? '')]
  // A pulled image's step once came without a number (minikube's pull request 9844).
  const counted = data['currentstep'] !== '' && Number.isInteger(current) && Number.isInteger(total) && total > 0
  const last = counted && current >= total
  return {
    kind: 'step',
    title,
    state: last || title === 'Done' ? 'done' : 'running',
    ...(counted ? { index: Math.min(current + 1, total), total } : {}),
  }
}

/** minikube counts from 0 to 1; people in percent. */
function shareOf(progress: string | undefined): number {
  const share = Number(progress ?? '')
  return Number.isFinite(share) ? Math.round(Math.min(1, Math.max(0, share)) * 100) : 0
}

/** Why minikube gave up: its last error event, with its own advice. */
export function minikubeFailure(lines: readonly string[]): { readonly message: string; readonly next?: string } {
  const errors = lines.flatMap((line) => {
    const told = parse(line)
    return told?.type === 'error' ? [told.data] : []
  })
  const error = errors.findLast(({ message }) => (message ?? '').trim() !== '')
  if (error === undefined) return plainFailure(lines)
  const advice = (error['advice'] ?? '').trim()
  const name = error['name'] === undefined || error['name'] === '' ? '' : ` (${error['name']})`
  const message = `${(error['message'] ?? '').trim()}${name}`
  return advice === '' ? { message } : { message, next: advice.replaceAll(/\s*\n\s*/g, '; ') }
}

/** `❌  Exiting due to REASON: words` and `💡  Suggestion: words`, of the commands that print no events. */
function plainFailure(lines: readonly string[]): { readonly message: string; readonly next?: string } {
  const after = (mark: string): string | undefined => {
    const line = lines.findLast((one) => one.includes(mark))
    return line?.slice(line.indexOf(mark)).trim()
  }
  const last = lines.filter((line) => line.trim() !== '').at(-1)
  const message = after('Exiting due to') ?? last?.trim() ?? 'it gave no reason'
  const next = after('Suggestion: ')?.slice('Suggestion: '.length)
  return next === undefined ? { message } : { message, next }
}

function parse(line: string): { readonly type: string; readonly data: Data } | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const { type, data } = JSON.parse(line) as { readonly type?: unknown; readonly data?: unknown }
    if (typeof type !== 'string' || !type.startsWith(TYPE) || typeof data !== 'object' || data === null)
      return undefined
    return { type: type.slice(TYPE.length), data: data as Data }
  } catch {
    return undefined
  }
}
