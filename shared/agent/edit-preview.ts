import path from 'node:path'
import type { Pass } from '../core/status.ts'
import type { Application } from '../model/application.ts'
import { canonicalJson } from '../model/json.ts'
import { resourceKey } from '../model/kubernetes.ts'
import type { Cancellable } from '../model/ports.ts'
import type { FieldDrift } from '../model/drift.ts'
import type { ResourceStatus } from '../model/status.ts'
import type { EditPreview, PreviewParams } from './application-contract.ts'
import type { HostedSession } from './hosted-session.ts'

/** What a sync of a file as it is being written would change, for each application that reads it. */
export async function previewEdit(
  hosted: HostedSession,
  { file, text, beside = [] }: Omit<PreviewParams, 'session'>,
  options: Cancellable,
): Promise<readonly EditPreview[]> {
  const edits = [...beside, { file, text }]
  const overlay = new Map(edits.map((edit) => [path.join(hosted.root, edit.file), edit.text]))
  const found: EditPreview[] = []
  for (const { application, pass } of await hosted.all()) {
    if (pass === undefined || !(await reads(hosted, application, pass, file))) continue
    const revised = { ...options, revision: 'WORKTREE', overlay }
    const edited = await hosted.session.look(application, revised)
    const { failure } = edited.snapshot
    found.push({
      application: application.name,
      resources: failure === undefined ? pending(pass, edited, file) : [],
      ...(edited.plan === undefined ? {} : { plan: edited.plan }),
      ...(failure === undefined ? {} : { failure }),
    })
  }
  return found
}

async function reads(hosted: HostedSession, application: Application, pass: Pass, file: string): Promise<boolean> {
  if (!(await hosted.isLocal(application))) return false
  if (pass.snapshot.resources.some(({ drift }) => drift.origin?.file === file)) return true
  return application.sources.some((source) => {
    if (source.chart !== undefined) return false
    const folder = path.posix.normalize(source.path).replace(/\/$/, '')
    return folder === '.' || file === folder || file.startsWith(`${folder}/`)
  })
}

/** What the edit brings, without what was different before it. */
function pending(before: Pass, after: Pass, file: string): readonly ResourceStatus[] {
  const known = new Map(before.snapshot.resources.map((resource) => [resourceKey(resource.id), resource]))
  return after.snapshot.resources.flatMap((resource) => {
    const base = known.get(resourceKey(resource.id))
    const fresh = freshOf(base, resource)
    if (fresh === undefined) return []
    // An object that leaves Git leaves the place that it had.
    const origin = fresh.drift.origin ?? base?.drift.origin
    const placed = origin === undefined ? fresh : { ...fresh, drift: { ...fresh.drift, origin } }
    const here = origin?.file === file || fresh.drift.fields.some(({ place }) => place?.file === file)
    return here ? [placed] : []
  })
}

function freshOf(base: ResourceStatus | undefined, next: ResourceStatus): ResourceStatus | undefined {
  const { drift } = next
  const before = base?.drift
  if (drift.failure !== undefined && drift.failure.message !== before?.failure?.message) return next
  if (drift.state !== 'changed') return drift.state === 'synced' || drift.state === before?.state ? undefined : next
  const told = new Set(before?.state === 'changed' ? before.fields.map(fieldKey) : [])
  const fields = drift.fields.filter((field) => !told.has(fieldKey(field)))
  return fields.length === 0 ? undefined : { ...next, drift: { ...drift, fields } }
}

/** A field with what Git wants of it. */
function fieldKey({ path: pointer, desired }: FieldDrift): string {
  return `${pointer}\n${canonicalJson(desired)}`
}
