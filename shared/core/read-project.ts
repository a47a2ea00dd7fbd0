import { isArray, isObject, type Json, type JsonObject } from '../model/json.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { Project, ResourcePattern, SyncWindow } from '../model/project.ts'

/** Argo CD's `default` project as it installs it: everything is allowed. */
const DEFAULT_PROJECT: Project = {
  name: 'default',
  description: '',
  sourceRepos: ['*'],
  sourceNamespaces: ['*'],
  destinations: [{ server: '*', name: '', namespace: '*' }],
  clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  clusterResourceBlacklist: [],
  namespaceResourceWhitelist: undefined,
  namespaceResourceBlacklist: [],
  orphanedResources: undefined,
  syncWindows: [],
  roles: [],
}

/**
 * The project that an application names. `default` need not be written anywhere; undefined where another one is not.
 */
export function projectOf(name: string, projects: ReadonlyMap<string, KubeObject>): Project | undefined {
  const written = projects.get(name)
  if (written !== undefined) return readProject(written)
  return name === DEFAULT_PROJECT.name || name === '' ? DEFAULT_PROJECT : undefined
}

/** Reads an AppProject (`argoproj.io/v1alpha1`). What it does not say it does not allow. */
function readProject(object: KubeObject): Project {
  const spec = isObject(object['spec']) ? object['spec'] : {}
  const orphaned = spec['orphanedResources']
  const namespaced = spec['namespaceResourceWhitelist']
  return {
    name: object.metadata.name,
    description: text(spec['description']),
    sourceRepos: texts(spec['sourceRepos']),
    sourceNamespaces: texts(spec['sourceNamespaces']),
    destinations: objects(spec['destinations']).map((each) => ({
      server: text(each['server']),
      name: text(each['name']),
      namespace: text(each['namespace']),
    })),
    clusterResourceWhitelist: patterns(spec['clusterResourceWhitelist']),
    clusterResourceBlacklist: patterns(spec['clusterResourceBlacklist']),
    namespaceResourceWhitelist: isArray(namespaced) ? patterns(namespaced) : undefined,
    namespaceResourceBlacklist: patterns(spec['namespaceResourceBlacklist']),
    // `warn` is on where it is not said (Argo CD `pkg/apis/application/v1alpha1/types.go`, IsWarn).
    orphanedResources: isObject(orphaned)
      ? { warn: orphaned['warn'] !== false, ignore: patterns(orphaned['ignore']) }
      : undefined,
    syncWindows: objects(spec['syncWindows']).map(readWindow),
    roles: objects(spec['roles']).map((role) => ({
      name: text(role['name']),
      description: text(role['description']),
      policies: texts(role['policies']),
    })),
  }
}

function readWindow(window: JsonObject): SyncWindow {
  return {
    // Whatever is no `allow` holds syncs back: a word that is spelled wrong must not open a window.
    kind: window['kind'] === 'allow' ? 'allow' : 'deny',
    schedule: text(window['schedule']),
    duration: text(window['duration']),
    applications: texts(window['applications']),
    namespaces: texts(window['namespaces']),
    clusters: texts(window['clusters']),
    manualSync: window['manualSync'] === true,
    syncOverrun: window['syncOverrun'] === true,
    timeZone: text(window['timeZone']),
    andOperator: window['andOperator'] === true,
  }
}

function patterns(value: Json | undefined): readonly ResourcePattern[] {
  return objects(value).map((each) => ({
    group: text(each['group']),
    kind: text(each['kind']),
    ...(typeof each['name'] === 'string' ? { name: each['name'] } : {}),
  }))
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function texts(value: Json | undefined): readonly string[] {
  return isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject) : []
}
