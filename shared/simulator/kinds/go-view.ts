import { isObject } from '../object.ts'
import type { GoStruct, GoType } from './go-types.ts'
import { structNamed } from './go-types.ts'
import type { Json } from './json.ts'
import { goContainer, sortKeys } from './json.ts'

/**
 * A value as Go prints the internal struct behind it: all fields, in order, under their Go names, nil as null. Some messages
 * show it, because internal types have no JSON tags. `internal` and `versioned` name the two structs:
 * `internal/core.PodSpec`, `core/v1.PodSpec`.
 */
export function goView(internal: string, versioned: string, value: unknown): Json {
  return viewStruct(structNamed(internal), structNamed(versioned), isObject(value) ? value : {})
}

function viewStruct(internal: GoStruct, versioned: GoStruct, value: Json): Json {
  const out: Json = {}
  const byGo = new Map(versioned.fields.map((field) => [field.go.toLowerCase(), field]))
  for (const field of internal.fields) {
    const source = byGo.get(field.go.toLowerCase())
    out[field.json] = viewValue(field.type, source?.type, source ? fieldOf(value, source.json) : undefined)
  }
  if (internal.name === 'internal/core.PodSpec') out['SecurityContext'] = podSecurity(value)
  if (internal.name === 'internal/core.PodTemplateSpec') inlineMetadata(out, value)
  return out
}

function fieldOf(value: Json, key: string): unknown {
  return value[key] ?? goContainer(value, key)
}

/** Host namespaces stand in the pod's security context inside the server. */
function podSecurity(spec: Json): Json {
  const context = isObject(spec['securityContext']) ? spec['securityContext'] : {}
  const host = {
    hostNetwork: spec['hostNetwork'],
    hostPID: spec['hostPID'],
    hostIPC: spec['hostIPC'],
    shareProcessNamespace: spec['shareProcessNamespace'],
    hostUsers: spec['hostUsers'],
  }
  const out: Json = {}
  const versioned = structNamed('core/v1.PodSecurityContext')
  for (const field of structNamed('internal/core.PodSecurityContext').fields) {
    const json = Object.keys(host).find((key) => key.toLowerCase() === field.go.toLowerCase())
    const source = versioned.fields.find((candidate) => candidate.go.toLowerCase() === field.go.toLowerCase())
    const found =
      json === undefined ? (source ? fieldOf(context, source.json) : undefined) : host[json as keyof typeof host]
    out[field.json] = viewValue(field.type, source?.type, found)
  }
  return out
}

/** Metadata is embedded in an internal template and printed with its tags, empty fields left out. */
function inlineMetadata(out: Json, template: Json): void {
  const metadata = isObject(template['metadata']) ? template['metadata'] : {}
  for (const key of Object.keys(out)) if (key !== 'Spec') delete out[key]
  const spec = out['Spec']
  delete out['Spec']
  for (const { json } of structNamed('meta/v1.ObjectMeta').fields) if (json in metadata) out[json] = metadata[json]
  out['Spec'] = spec
}

function viewValue(internal: GoType, versioned: GoType | undefined, value: unknown): unknown {
  switch (internal.kind) {
    case 'pointer': {
      if (value === undefined || value === null) return null
      return viewValue(internal.of, versioned?.kind === 'pointer' ? versioned.of : versioned, value)
    }
    case 'slice': {
      if (!Array.isArray(value)) return null
      const of = versioned?.kind === 'slice' ? versioned.of : undefined
      return value.map((item) => viewValue(internal.of, of, item))
    }
    case 'map':
      return isObject(value) ? inKeyOrder(value) : null
    case 'struct': {
      const other = structOf(versioned)
      if (internal.of.name.startsWith('meta/') || !other) return value ?? {}
      return viewStruct(internal.of, other, isObject(value) ? value : {})
    }
    case 'string':
      return value ?? ''
    case 'bool':
      return value ?? false
    case 'int':
    case 'float':
    case 'intstr':
      return value ?? 0
    case 'quantity':
      return value ?? '0'
    default:
      return value ?? null
  }
}

function structOf(type: GoType | undefined): GoStruct | undefined {
  if (type?.kind === 'pointer') return structOf(type.of)
  return type?.kind === 'struct' ? type.of : undefined
}

function inKeyOrder(map: Json): Json {
  const out = { ...map }
  sortKeys(out)
  return out
}
