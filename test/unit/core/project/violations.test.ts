import assert from 'node:assert/strict'
import test from 'node:test'
import { applicationViolations, resourceViolation } from '../../../../shared/core/project/violations.ts'
import { projectOf } from '../../../../shared/core/read-project.ts'
import type { Project } from '../../../../shared/model/project.ts'
import { sampleApplication, sampleProjects } from '../sample-application.ts'

const OPEN = {
  sourceRepos: ['*'],
  destinations: [{ server: '*', namespace: '*' }],
}

function project(spec: object): Project {
  const found = projectOf('team', sampleProjects({ ...OPEN, ...spec }))
  assert.ok(found)
  return found
}

const applications: readonly (readonly [what: string, spec: object, rule: RegExp | undefined])[] = [
  ['an open project', {}, undefined],
  ['a repository by glob', { sourceRepos: ['https://github.com/org/*'] }, undefined],
  ['another repository', { sourceRepos: ['https://github.com/other/*'] }, /\(sourceRepos\)/],
  ['no repository', { sourceRepos: [] }, /\(sourceRepos\)/],
  ['a repository that is denied', { sourceRepos: ['*', '!https://github.com/org/repo'] }, /\(sourceRepos\)/],
  ['a namespace by glob', { destinations: [{ server: '*', namespace: 'gue*' }] }, undefined],
  ['another namespace', { destinations: [{ server: '*', namespace: 'prod' }] }, /\(destinations\)/],
  ['the cluster by name', { destinations: [{ name: 'in-cluster', namespace: '*' }] }, /\(destinations\)/],
  [
    'the cluster by address',
    { destinations: [{ server: 'https://kubernetes.default.svc', namespace: '*' }] },
    undefined,
  ],
  ['another cluster', { destinations: [{ server: 'https://elsewhere', namespace: '*' }] }, /\(destinations\)/],
  [
    'a namespace that is denied',
    { destinations: [...OPEN.destinations, { server: '*', namespace: '!guest' }] },
    /\(destinations\)/,
  ],
]

for (const [what, spec, rule] of applications) {
  test(`a project that allows ${what} ${rule === undefined ? 'says nothing' : 'names its rule'}`, () => {
    const found = applicationViolations(sampleApplication(), project(spec))
    if (rule === undefined) assert.deepEqual(found, [])
    else assert.match(found.join(), rule)
  })
}

const role = { group: 'rbac.authorization.k8s.io', kind: 'ClusterRole', namespace: '', name: 'admin' }
const secret = { group: '', kind: 'Secret', namespace: 'guest', name: 's' }

const resources: readonly (readonly [spec: object, id: typeof role, rule: RegExp | undefined])[] = [
  [{}, role, /clusterResourceWhitelist/],
  [{ clusterResourceWhitelist: [{ group: '*', kind: '*' }] }, role, undefined],
  [{ clusterResourceWhitelist: [{ group: 'rbac.*', kind: 'ClusterRole', name: 'view-*' }] }, role, /Whitelist/],
  [
    {
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
      clusterResourceBlacklist: [{ group: '*', kind: 'ClusterRole' }],
    },
    role,
    /clusterResourceBlacklist/,
  ],
  [{}, secret, undefined],
  [{ namespaceResourceBlacklist: [{ group: '', kind: 'Secret' }] }, secret, /namespaceResourceBlacklist/],
  [{ namespaceResourceWhitelist: [] }, secret, /namespaceResourceWhitelist/],
  [{ namespaceResourceWhitelist: [{ group: '', kind: 'Sec*' }] }, secret, undefined],
  [{ destinations: [{ server: '*', namespace: 'other' }] }, secret, /destinations/],
]

for (const [spec, id, rule] of resources) {
  test(`${JSON.stringify(spec)} ${rule === undefined ? 'permits' : 'forbids'} a ${id.kind}`, () => {
    const found = resourceViolation(sampleApplication(), project(spec), id)
    if (rule === undefined) assert.equal(found, undefined)
    else assert.match(found ?? '', rule)
  })
}

test('default allows everything where it is not written, and another project that is not written does not exist', () => {
  const found = projectOf('default', new Map())
  assert.ok(found)
  assert.deepEqual(applicationViolations(sampleApplication({ project: 'default' }), found), [])
  assert.equal(resourceViolation(sampleApplication(), found, role), undefined)
  assert.equal(projectOf('team', new Map()), undefined)
})
