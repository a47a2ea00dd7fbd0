import type { RepositoryLayout } from './discovery.ts'
import type { Remote } from './git-config.ts'
import { GitError } from './git-error.ts'
import { isObjectId } from './object-id.ts'
import type { ObjectStore } from './object-store.ts'
import { isSafeRefName } from './refs.ts'
import type { RefStore } from './refs.ts'
import { isVersionRange, newestTagInRange } from './version-range.ts'

interface Sources {
  readonly layout: RepositoryLayout
  readonly refs: RefStore
  readonly objects: ObjectStore
  readonly remotes: () => Promise<readonly Remote[]>
}

interface Options {
  readonly signal?: AbortSignal | undefined
}

const maxSteps = 100
const minShaLength = 4

/**
 * Finds the commit that a person's word means, in git's own order (gitrevisions(7)): a whole sha, then refs with tags
 * before branches before remote branches, then a short sha; `~n` and `^n` may follow. A branch that only one remote
 * has may be named without the remote, as `git checkout` allows. A range of versions means the newest tag in it.
 * @throws GitError unknown-revision, ambiguous-revision, missing-object
 */
export async function resolveRevision(name: string, sources: Sources, options: Options): Promise<string> {
  const newest = await tagInRange(name, sources)
  if (newest !== undefined) return sources.objects.peel(newest, options)
  const [, base = '', suffix = ''] = /^(.*?)((?:~\d*|\^(?:\d*|\{(?:commit)?\}))*)$/s.exec(name) ?? []
  const id = await resolveBase(base, name, sources, options)
  let commit = await sources.objects.peel(id, options)
  const steps = suffix.match(/[~^][^~^]*/g) ?? []
  if (steps.length > maxSteps) throw unknown(name, sources.layout)
  for (const step of steps) commit = await follow(step, commit, name, sources, options)
  return commit
}

/** No ref can hold most of a range's characters; for the rest, `1.x`, a ref of that very name comes first. */
async function tagInRange(name: string, sources: Sources): Promise<string | undefined> {
  if (!isVersionRange(name)) return undefined
  const prefix = 'refs/tags/'
  const tags = await sources.refs.list(prefix)
  const tag = newestTagInRange(
    name,
    tags.map((ref) => ref.name.slice(prefix.length)),
  )
  if (tag === undefined || (isSafeRefName(name) && (await readRef(name, sources)) !== undefined)) return undefined
  return tags.find((ref) => ref.name === prefix + tag)?.id
}

async function resolveBase(base: string, name: string, sources: Sources, options: Options): Promise<string> {
  const { layout, refs } = sources
  if (isObjectId(base.toLowerCase(), layout.objectFormat)) return present(base.toLowerCase(), sources, options)
  const wanted = base === '' || base === '@' ? 'HEAD' : base
  const id = isSafeRefName(wanted) ? await readRef(wanted, sources) : undefined
  if (id !== undefined) return id
  if (new RegExp(`^[0-9a-f]{${minShaLength},64}$`, 'i').test(base)) {
    return expand(base.toLowerCase(), name, sources, options)
  }
  const unborn = wanted === 'HEAD' ? await refs.symbolicTarget('HEAD') : undefined
  if (unborn !== undefined) {
    const branch = unborn.replace('refs/heads/', '')
    throw new GitError('unknown-revision', `branch ${branch} of ${placeOf(layout)} has no commit yet`)
  }
  throw unknown(name, layout)
}

/** A sha that nobody has is an unknown revision, not a hole in the object store. */
async function present(id: string, { layout, objects }: Sources, options: Options): Promise<string> {
  try {
    await objects.raw(id, options)
    return id
  } catch (error) {
    if (GitError.is(error, 'missing-object')) throw unknown(id, layout)
    throw error
  }
}

async function readRef(name: string, { refs, remotes }: Sources): Promise<string | undefined> {
  // Names such as ORIG_HEAD lie beside HEAD; other files that lie there (config, description) are no refs.
  const direct = name.startsWith('refs/') || /^[A-Z_]+$/.test(name) ? [name] : []
  const candidates = [...direct, `refs/${name}`, `refs/tags/${name}`, `refs/heads/${name}`, `refs/remotes/${name}`]
  for (const candidate of [...candidates, `refs/remotes/${name}/HEAD`]) {
    const id = await refs.read(candidate)
    if (id !== undefined) return id
  }
  const found = new Set<string>()
  for (const remote of await remotes()) {
    const id = await refs.read(`refs/remotes/${remote.name}/${name}`)
    if (id !== undefined && remote.name === 'origin') return id
    if (id !== undefined) found.add(id)
  }
  if (found.size > 1) throw new GitError('ambiguous-revision', `several remotes have a branch ${name}; say which one`)
  return [...found][0]
}

async function expand(prefix: string, name: string, { layout, objects }: Sources, options: Options): Promise<string> {
  const all = await objects.expand(prefix, options)
  const commits: string[] = []
  for (const id of all) if (await objects.isCommitish(id, options)) commits.push(id)
  const [only] = commits
  if (only === undefined) throw unknown(name, layout)
  if (commits.length === 1) return only
  const shown = commits.slice(0, 5).map((id) => id.slice(0, 12))
  throw new GitError('ambiguous-revision', `${prefix} begins ${commits.length} commits: ${shown.join(', ')}`)
}

async function follow(
  step: string,
  commit: string,
  name: string,
  { layout, objects }: Sources,
  options: Options,
): Promise<string> {
  if (step.startsWith('^{')) return commit
  const digits = step.slice(1)
  const count = digits === '' ? 1 : Number(digits)
  if (step.startsWith('^')) {
    if (count === 0) return commit
    const parent = (await objects.parents(commit, options))[count - 1]
    if (parent === undefined) throw unknown(name, layout)
    return parent
  }
  let current = commit
  for (let index = 0; index < count; index += 1) {
    const [parent] = await objects.parents(current, options)
    if (parent === undefined) throw unknown(name, layout)
    current = parent
  }
  return current
}

function unknown(name: string, layout?: RepositoryLayout): GitError {
  const where = layout === undefined ? '' : ` in ${placeOf(layout)}`
  const shallow = layout?.shallow === true ? ', whose history is cut off (a shallow clone)' : ''
  return new GitError(
    'unknown-revision',
    `there is no revision ${JSON.stringify(name.slice(0, 200))}${where}${shallow}`,
  )
}

function placeOf(layout: RepositoryLayout): string {
  return layout.root ?? layout.gitDir
}
