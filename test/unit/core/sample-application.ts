import { readApplication } from '../../../shared/core/read-application.ts'
import type { Application } from '../../../shared/model/application.ts'
import type { KubeObject } from '../../../shared/model/kubernetes.ts'

/** An Application of the given spec, over a small usual one. */
export function sampleApplication(spec: object = {}, metadata: object = {}): Application {
  const object = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'guestbook', namespace: 'argocd', ...metadata },
    spec: {
      project: 'team',
      source: { repoURL: 'https://github.com/org/repo.git', targetRevision: 'main', path: 'app' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'guest' },
      ...spec,
    },
  } as unknown as KubeObject
  const application = readApplication(object)
  if ('stage' in application) throw new Error(application.message)
  return application
}

/** Projects as they are found beside applications: one named `team` of the given spec. */
export function sampleProjects(spec: object): ReadonlyMap<string, KubeObject> {
  const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata: { name: 'team' }, spec }
  return new Map([['team', object as unknown as KubeObject]])
}
