import type { SentSnapshot } from '../../shared/agent/contract.ts'
import type { Known } from '../model.ts'

const origins = new WeakMap<SentSnapshot, ReadonlySet<string>>()

/** Whether an application may be made of a file: it lies below one of its paths, or has given an object already. */
export function readsFile({ sent }: Known, file: string): boolean {
  if (sent?.local !== true) return false
  const below = sent.snapshot.application.sources.some(({ path, chart }) => {
    if (chart !== undefined) return false
    const folder = path.replace(/^\.\//, '').replace(/\/$/, '')
    return folder === '' || folder === '.' || file === folder || file.startsWith(`${folder}/`)
  })
  return below || originsOf(sent).has(file)
}

function originsOf(sent: SentSnapshot): ReadonlySet<string> {
  let files = origins.get(sent)
  if (files === undefined) {
    files = new Set(sent.snapshot.resources.flatMap(({ drift }) => drift.origin?.file ?? []))
    origins.set(sent, files)
  }
  return files
}
