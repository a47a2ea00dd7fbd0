import type { Application, ApplicationSource, Destination } from '../../model/application.ts'
import type { ResourceId } from '../../model/kubernetes.ts'
import type { Project, ProjectDestination, ResourcePattern } from '../../model/project.ts'
import { globFits } from '../glob.ts'

/** What a project forbids about an application as a whole: a sentence for each rule (Argo CD `docs/user-guide/projects.md`). */
export function applicationViolations(application: Application, project: Project): readonly string[] {
  const { destination, sources, namespace } = application
  const found: string[] = []
  for (const source of sources) {
    if (!allowsSource(project, source))
      found.push(`project ${project.name} does not permit the repository ${source.repoURL} (sourceRepos)`)
  }
  if (!allowsDestination(project, destination, destination.namespace)) {
    const where = destination.name ?? destination.server ?? ''
    found.push(
      `project ${project.name} does not permit the destination ${where} namespace ${destination.namespace || '(none)'} (destinations)`,
    )
  }
  if (namespace !== ARGO_NAMESPACE && !project.sourceNamespaces.some((pattern) => globFits(pattern, namespace))) {
    found.push(`project ${project.name} does not permit applications in namespace ${namespace} (sourceNamespaces)`)
  }
  return found
}

const ARGO_NAMESPACE = 'argocd'

/** Why a project forbids an object; undefined where it does not. */
export function resourceViolation(application: Application, project: Project, id: ResourceId): string | undefined {
  const kind = `${id.group}/${id.kind}`
  if (id.namespace === '') {
    if (!project.clusterResourceWhitelist.some((pattern) => covers(pattern, id)))
      return `project ${project.name} does not permit the cluster-scoped kind ${kind} (clusterResourceWhitelist)`
    if (project.clusterResourceBlacklist.some((pattern) => covers(pattern, id)))
      return `project ${project.name} forbids the cluster-scoped kind ${kind} (clusterResourceBlacklist)`
    return undefined
  }
  if (project.namespaceResourceWhitelist?.some((pattern) => covers(pattern, id)) === false)
    return `project ${project.name} does not permit the kind ${kind} (namespaceResourceWhitelist)`
  if (project.namespaceResourceBlacklist.some((pattern) => covers(pattern, id)))
    return `project ${project.name} forbids the kind ${kind} (namespaceResourceBlacklist)`
  if (!allowsDestination(project, application.destination, id.namespace))
    return `project ${project.name} does not permit the namespace ${id.namespace} (destinations)`
  return undefined
}

/** A `*` alone stands for every repository; within an address it stops at a slash. */
function allowsSource({ sourceRepos }: Project, { repoURL }: ApplicationSource): boolean {
  return allows(sourceRepos, (pattern) => pattern === '*' || globFits(plain(pattern), plain(repoURL), '/'))
}

/** Addresses that name one repository read the same. */
function plain(repoURL: string): string {
  return repoURL.replace(/\/+$/, '').replace(/\.git$/, '')
}

const IN_CLUSTER = 'https://kubernetes.default.svc'

function allowsDestination({ destinations }: Project, { server, name }: Destination, namespace: string): boolean {
  const ours = { server: server ?? (name === 'in-cluster' || name === undefined ? IN_CLUSTER : ''), name: name ?? '' }
  const matches = (one: ProjectDestination, bare: (text: string) => string): boolean => {
    const byServer = one.server !== '' && globFits(bare(one.server), ours.server)
    const byName = one.name !== '' && globFits(bare(one.name), ours.name)
    return (byServer || byName) && globFits(bare(one.namespace), namespace)
  }
  const permitted = destinations.some((one) => !isDenial(one) && matches(one, (text) => text))
  return permitted && !destinations.some((one) => isDenial(one) && matches(one, (text) => text.replace(/^!/, '')))
}

function isDenial({ server, name, namespace }: ProjectDestination): boolean {
  return [server, name, namespace].some((text) => text.startsWith('!'))
}

/** One that fits, and none that begins with `!` and fits. */
function allows(patterns: readonly string[], fits: (pattern: string) => boolean): boolean {
  const denied = patterns.some((pattern) => pattern.startsWith('!') && fits(pattern.slice(1)))
  return !denied && patterns.some((pattern) => !pattern.startsWith('!') && fits(pattern))
}

function covers({ group, kind, name }: ResourcePattern, id: ResourceId): boolean {
  return globFits(group, id.group) && globFits(kind, id.kind) && (name === undefined || globFits(name, id.name))
}
