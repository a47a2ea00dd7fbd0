import { validateAffinity, validateSpread, validateTolerations } from './affinity-rules.ts'
import { dnsLabelField, numberInRange, oneOf, requiredOneOf } from './checks.ts'
import type { PodScope } from './container-rules.ts'
import { validateContainers, validateInitContainers } from './container-rules.ts'
import { validateEphemeralContainers } from './ephemeral-rules.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, invalid, notFoundValue, required, tooLong } from './field-error.ts'
import { goView } from './go-view.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, objectsAt, textAt, textMapAt, textsAt } from './json.ts'
import { failing, validateAnnotations, validateLabels } from './metadata.ts'
import { byteLength, qualifiedName, subdomainName, underscoredSubdomain } from './names.ts'
import { validIp } from './network-checks.ts'
import { containerResourceName, podResourceName, resourceAmount, validateResources } from './resource-rules.ts'
import { podSecurity } from './security-rules.ts'
import { validateVolumes } from './volume-rules.ts'

/** A pod template inside a workload: labels, annotations and pod spec (`ValidatePodTemplateSpec`). */
export function validatePodTemplate(template: Json, field: string): FieldError[] {
  const metadata = objectAt(template, 'metadata')
  const spec = objectAt(template, 'spec') ?? {}
  const ephemeral = objectsAt(spec, 'ephemeralContainers').length > 0
  return [
    ...validateLabels(metadata?.['labels'], `${field}.labels`),
    ...validateAnnotations(metadata?.['annotations'] as Record<string, string> | undefined, `${field}.annotations`),
    ...validatePodSpec(spec, '', `${field}.spec`, false),
    ...(ephemeral
      ? [forbidden(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ]
}

/** A pod spec; `podName` is empty in a template. */
export function validatePodSpec(spec: Json, podName: string, field: string, isPod: boolean): FieldError[] {
  const volumes = validateVolumes(objectsAt(spec, 'volumes'), podName, `${field}.volumes`)
  const scope: PodScope = {
    volumes: volumes.valid,
    claimNames: new Set(objectsAt(spec, 'resourceClaims').map((claim) => textAt(claim, 'name'))),
    graceSeconds: numberAt(spec, 'terminationGracePeriodSeconds'),
    hostUsers: spec['hostUsers'] !== false,
    os: objectAt(spec, 'os') && textAt(objectAt(spec, 'os'), 'name'),
    restartPolicy: textAt(spec, 'restartPolicy'),
  }
  const containers = objectsAt(spec, 'containers')
  const inits = objectsAt(spec, 'initContainers')
  const guests = objectsAt(spec, 'ephemeralContainers')
  return [
    ...(absent(spec, 'terminationGracePeriodSeconds') ? [required(`${field}.terminationGracePeriodSeconds`)] : []),
    ...volumes.errors,
    ...resourceClaims(objectsAt(spec, 'resourceClaims'), `${field}.resourceClaims`),
    ...validateContainers(containers, scope, `${field}.containers`),
    ...validateInitContainers(inits, containers, scope, `${field}.initContainers`),
    ...validateEphemeralContainers(guests, [...containers, ...inits], scope, `${field}.ephemeralContainers`),
    ...podLevelResources(spec, scope.claimNames, field),
    ...hostNetworkPorts(spec, field, isPod),
    ...requiredOneOf(textAt(spec, 'restartPolicy'), `${field}.restartPolicy`, ['Always', 'OnFailure', 'Never']),
    ...requiredOneOf(textAt(spec, 'dnsPolicy'), `${field}.dnsPolicy`, [
      'ClusterFirstWithHostNet',
      'ClusterFirst',
      'Default',
      'None',
    ]),
    ...validateLabels(spec['nodeSelector'], `${field}.nodeSelector`),
    ...podSecurity(objectAt(spec, 'securityContext') ?? {}, spec, `${field}.securityContext`),
    ...validateAffinity(objectAt(spec, 'affinity'), `${field}.affinity`),
    ...dnsConfig(spec, `${field}.dnsConfig`),
    ...gates(spec, field),
    ...validateSpread(objectsAt(spec, 'topologySpreadConstraints'), `${field}.topologySpreadConstraints`),
    ...hostUserRules(spec, field),
    ...namesAndNumbers(spec, field),
    ...fileKeyVolumes(spec, field),
  ]
}

function resourceClaims(claims: readonly Json[], field: string): FieldError[] {
  const seen = new Set<string>()
  return claims.flatMap((claim, i) => {
    const at = `${field}[${i}]`
    const name = textAt(claim, 'name')
    const errors: FieldError[] = []
    if (name === '') errors.push(required(`${at}.name`))
    else if (seen.has(name)) errors.push(duplicate(`${at}.name`, name))
    else errors.push(...dnsLabelField(name, `${at}.name`))
    seen.add(name)
    const keys = ['resourceClaimName', 'resourceClaimTemplateName']
    const given = keys.filter((key) => !absent(claim, key))
    const shown = goView('internal/core.PodResourceClaim', 'core/v1.PodResourceClaim', claim)
    if (given.length === 2) {
      const text = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'
      errors.push(invalid(at, shown, text))
    }
    if (given.length === 0) {
      errors.push(invalid(at, shown, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'))
    }
    for (const key of given) {
      const value = textAt(claim, key)
      errors.push(...subdomainName(value, false).map((text) => invalid(`${at}.${key}`, value, text)))
    }
    return errors
  })
}

function podLevelResources(spec: Json, claimNames: ReadonlySet<string>, field: string): FieldError[] {
  const resources = objectAt(spec, 'resources')
  if (!resources) return []
  const claims = objectsAt(resources, 'claims').length > 0
  return [
    ...(claims ? [forbidden(`${field}.resources.claims`, 'claims may not be set for Resources at pod-level')] : []),
    ...validateResources(resources, claimNames, `${field}.resources`, podResourceName),
  ]
}

function hostNetworkPorts(spec: Json, field: string, isPod: boolean): FieldError[] {
  if (spec['hostNetwork'] !== true) return []
  return objectsAt(spec, 'containers').flatMap((container, c) =>
    objectsAt(container, 'ports').flatMap((port, p) => {
      const host = numberAt(port, 'hostPort') ?? 0
      if ((!isPod && host === 0) || host === numberAt(port, 'containerPort')) return []
      const at = `${field}.containers[${c}].ports[${p}].hostPort`
      return [invalid(at, host, 'must match `containerPort` when `hostNetwork` is true')]
    }),
  )
}

function dnsConfig(spec: Json, field: string): FieldError[] {
  const config = objectAt(spec, 'dnsConfig')
  const servers = textsAt(config, 'nameservers')
  if (spec['dnsPolicy'] === 'None') {
    if (!config) return [required(field, 'must provide `dnsConfig` when `dnsPolicy` is None')]
    const text = 'must provide at least one DNS nameserver when `dnsPolicy` is None'
    if (servers.length === 0) return [required(`${field}.nameservers`, text)]
  }
  const errors: FieldError[] = []
  if (servers.length > 3) {
    errors.push(invalid(`${field}.nameservers`, servers, 'must not have more than 3 nameservers'))
  }
  errors.push(...servers.flatMap((server, i) => validIp(server, `${field}.nameservers[${i}]`)))
  const searches = textsAt(config, 'searches')
  if (searches.length > 32)
    errors.push(invalid(`${field}.searches`, searches, 'must not have more than 32 search paths'))
  if (searches.join(' ').length > 2048) {
    const text = 'must not have more than 2048 characters (including spaces) in the search list'
    errors.push(invalid(`${field}.searches`, searches, text))
  }
  searches.forEach((search, i) => {
    if (search === '.') return
    const bare = search.endsWith('.') ? search.slice(0, -1) : search
    errors.push(...failing(underscoredSubdomain, bare, `${field}.searches[${i}]`))
  })
  objectsAt(config, 'options').forEach((option, i) => {
    if (textAt(option, 'name') === '') errors.push(required(`${field}.options[${i}]`, 'must not be empty'))
  })
  return errors
}

function gates(spec: Json, field: string): FieldError[] {
  const seen = new Set<string>()
  return [
    ...objectsAt(spec, 'readinessGates').flatMap((gate, i) =>
      failing(qualifiedName, textAt(gate, 'conditionType'), `${field}.readinessGates[${i}].conditionType`),
    ),
    ...objectsAt(spec, 'schedulingGates').flatMap((gate, i) => {
      const name = textAt(gate, 'name')
      const at = `${field}.schedulingGates[${i}]`
      const repeated = seen.has(name) ? [duplicate(at, name)] : []
      seen.add(name)
      return [...failing(qualifiedName, name, at), ...repeated]
    }),
  ]
}

function hostUserRules(spec: Json, field: string): FieldError[] {
  if (spec['hostUsers'] !== false) return []
  return ['hostPID', 'hostIPC']
    .filter((key) => spec[key] === true)
    .map((key) => forbidden(`${field}.${key === 'hostPID' ? 'HostPID' : 'HostIPC'}`, 'when `hostUsers` is false'))
}

function namesAndNumbers(spec: Json, field: string): FieldError[] {
  const subdomain = (key: string): FieldError[] => {
    const value = textAt(spec, key)
    return value === '' ? [] : subdomainName(value, false).map((text) => invalid(`${field}.${key}`, value, text))
  }
  const label = (key: string): FieldError[] => {
    const value = textAt(spec, key)
    return value === '' ? [] : dnsLabelField(value, `${field}.${key}`)
  }
  const deadline = numberAt(spec, 'activeDeadlineSeconds')
  const preemption = spec['preemptionPolicy']
  return [
    ...hostnameOverride(spec, `${field}.hostnameOverride`),
    ...subdomain('serviceAccountName'),
    ...subdomain('nodeName'),
    ...(deadline === undefined ? [] : numberInRange(deadline, 1, 2 ** 31 - 1, `${field}.activeDeadlineSeconds`)),
    ...label('hostname'),
    ...label('subdomain'),
    ...validateTolerations(objectsAt(spec, 'tolerations'), `${field}.tolerations`),
    ...hostAliases(objectsAt(spec, 'hostAliases'), `${field}.hostAliases`),
    ...subdomain('priorityClassName'),
    ...subdomain('runtimeClassName'),
    ...(typeof preemption === 'string'
      ? requiredOneOf(preemption, `${field}.preemptionPolicy`, ['PreemptLowerPriority', 'Never'])
      : []),
    ...Object.entries(textMapAt(spec, 'overhead')).flatMap(([name, amount]) => [
      ...containerResourceName(name, `${field}.overhead.limits[${name}]`),
      ...resourceAmount(name, amount, `${field}.overhead.limits[${name}]`),
    ]),
    ...osRules(objectAt(spec, 'os'), `${field}.os`),
  ]
}

function hostnameOverride(spec: Json, field: string): FieldError[] {
  const name = spec['hostnameOverride']
  if (typeof name !== 'string') return []
  return [
    ...(spec['setHostnameAsFQDN'] === true
      ? [forbidden(field, 'may not be specified when setHostnameAsFQDN is true')]
      : []),
    ...(spec['hostNetwork'] === true ? [forbidden(field, 'may not be specified when hostNetwork is true')] : []),
    ...(byteLength(name) > 64 ? [tooLong(field, 64)] : []),
    ...subdomainName(name, false).map((text) => invalid(field, name, text)),
  ]
}

function osRules(os: Json | undefined, field: string): FieldError[] {
  if (!os) return []
  const name = textAt(os, 'name')
  return name === '' ? [required(`${field}.name`)] : oneOf(name, field, ['linux', 'windows'])
}

function hostAliases(aliases: readonly Json[], field: string): FieldError[] {
  return aliases.flatMap((alias, i) => [
    ...validIp(textAt(alias, 'ip'), `${field}[${i}].ip`),
    ...textsAt(alias, 'hostnames').flatMap((name, h) =>
      subdomainName(name, false).map((text) => invalid(`${field}[${i}].hostnames[${h}]`, name, text)),
    ),
  ])
}

function fileKeyVolumes(spec: Json, field: string): FieldError[] {
  const volumes = new Map(objectsAt(spec, 'volumes').map((volume) => [textAt(volume, 'name'), volume]))
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    objectsAt(spec, list).flatMap((container, c) =>
      objectsAt(container, 'env').flatMap((variable, e) => {
        const reference = objectAt(objectAt(variable, 'valueFrom'), 'fileKeyRef')
        if (!reference) return []
        const at = `${field}.${list}[${c}].env[${e}].valueFrom.fileKeyRef.volumeName`
        const name = textAt(reference, 'volumeName')
        const volume = volumes.get(name)
        if (!volume) return [notFoundValue(at, name)]
        return absent(volume, 'emptyDir') ? [invalid(at, name, 'referenced volume must be of type emptyDir')] : []
      }),
    ),
  )
}
