import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import { labelSelector } from './checks.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { invalid, notSupported, required } from './field-error.ts'
import { goView } from './go-view.ts'
import type { Json } from './json.ts'
import { objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { pathSegmentName, subdomainName } from './names.ts'
import type { KindStrategy } from './strategy.ts'

/** Roles and bindings (`pkg/apis/rbac/validation`); their names only have to fit into a path. */

const group = 'rbac.authorization.k8s.io'

function ruleErrors(rule: Json, namespaced: boolean, at: string): FieldError[] {
  const errors =
    textsAt(rule, 'verbs').length === 0 ? [required(`${at}.verbs`, 'verbs must contain at least one value')] : []
  const urls = textsAt(rule, 'nonResourceURLs')
  const [groups, resources] = [textsAt(rule, 'apiGroups'), textsAt(rule, 'resources')]
  if (urls.length > 0) {
    const field = `${at}.nonResourceURLs`
    if (namespaced) errors.push(invalid(field, urls, 'namespaced rules cannot apply to non-resource URLs'))
    if (groups.length + resources.length + textsAt(rule, 'resourceNames').length > 0) {
      errors.push(invalid(field, urls, 'rules cannot apply to both regular resources and non-resource URLs'))
    }
    return errors
  }
  if (groups.length === 0) {
    errors.push(required(`${at}.apiGroups`, 'resource rules must supply at least one api group'))
  }
  if (resources.length === 0) {
    errors.push(required(`${at}.resources`, 'resource rules must supply at least one resource'))
  }
  return errors
}

function aggregationErrors(o: KubeObject): FieldError[] {
  const rule = objectAt(o, 'aggregationRule')
  if (!rule) return []
  const field = 'aggregationRule.clusterRoleSelectors'
  const selectors = objectsAt(rule, 'clusterRoleSelectors')
  const text = 'at least one clusterRoleSelector required if aggregationRule is non-nil'
  return [
    ...(selectors.length === 0 ? [required(field, text)] : []),
    ...selectors.flatMap((selector, i) => {
      const errors = labelSelector(selector, `${field}[${i}]`)
      return errors.length === 0 ? [] : [...errors, invalid(`${field}[${i}]`, null, 'invalid label selector.')]
    }),
  ]
}

function roleKind(namespaced: boolean): KindStrategy {
  return defineKind({
    name: pathSegmentName,
    createOnUpdate: true,
    metadataOnUpdate: 'late',
    validate: (o) => [
      ...objectsAt(o, 'rules').flatMap((rule, i) => ruleErrors(rule, namespaced, `rules[${i}]`)),
      ...(namespaced ? [] : aggregationErrors(o)),
    ],
  })
}

function subjectErrors(subject: Json, namespaced: boolean, at: string): FieldError[] {
  const name = textAt(subject, 'name')
  const kind = textAt(subject, 'kind')
  const apiGroup = textAt(subject, 'apiGroup')
  const errors = name === '' ? [required(`${at}.name`)] : []
  if (kind === 'User' || kind === 'Group') {
    return apiGroup === group ? errors : [...errors, notSupported(`${at}.apiGroup`, apiGroup, [group])]
  }
  if (kind !== 'ServiceAccount') {
    return [...errors, notSupported(`${at}.kind`, kind, ['ServiceAccount', 'User', 'Group'])]
  }
  if (name !== '') errors.push(...subdomainName(name, false).map((text) => invalid(`${at}.name`, name, text)))
  if (apiGroup !== '') errors.push(notSupported(`${at}.apiGroup`, apiGroup, ['']))
  if (!namespaced && textAt(subject, 'namespace') === '') errors.push(required(`${at}.namespace`))
  return errors
}

function bindingKind(namespaced: boolean): KindStrategy {
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']
  return defineKind({
    name: pathSegmentName,
    createOnUpdate: true,
    metadataOnUpdate: 'late',
    validate: (o) => {
      const role = objectAt(o, 'roleRef') ?? {}
      const [apiGroup, kind, name] = [textAt(role, 'apiGroup'), textAt(role, 'kind'), textAt(role, 'name')]
      return [
        ...(apiGroup === group ? [] : [notSupported('roleRef.apiGroup', apiGroup, [group])]),
        ...(kinds.includes(kind) ? [] : [notSupported('roleRef.kind', kind, kinds)]),
        ...(name === ''
          ? [required('roleRef.name')]
          : pathSegmentName(name, false).map((text) => invalid('roleRef.name', name, text))),
        ...objectsAt(o, 'subjects').flatMap((subject, i) => subjectErrors(subject, namespaced, `subjects[${i}]`)),
      ]
    },
    validateChange: (next, live) => {
      if (sameJson(next['roleRef'], live['roleRef'])) return []
      const shown = goView('internal/rbac.RoleRef', 'rbac/v1.RoleRef', next['roleRef'])
      return [invalid('roleRef', shown, 'cannot change roleRef')]
    },
  })
}

export const rbacKinds: Readonly<Record<string, KindStrategy>> = {
  [`clusterrolebindings.${group}`]: bindingKind(false),
  [`clusterroles.${group}`]: roleKind(false),
  [`rolebindings.${group}`]: bindingKind(true),
  [`roles.${group}`]: roleKind(true),
}
