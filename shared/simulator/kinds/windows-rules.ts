import type { FieldError } from './field-error.ts'
import { invalid } from './field-error.ts'
import type { Json } from './json.ts'
import { byteLength, dnsSubdomain } from './names.ts'

/** What a container on Windows runs as (`validateWindowsSecurityContextOptions`). */
export function windowsOptions(options: Json | undefined, field: string): FieldError[] {
  const name = options?.['gmsaCredentialSpecName']
  const spec = options?.['gmsaCredentialSpec']
  const user = options?.['runAsUserName']
  return [
    ...(typeof name === 'string'
      ? dnsSubdomain(name).map((text) => invalid(`${field}.gmsaCredentialSpecName`, name, text))
      : []),
    ...(typeof spec === 'string' ? credentialSpec(spec, `${field}.gmsaCredentialSpec`) : []),
    ...(typeof user === 'string'
      ? userProblems(user).map((text) => invalid(`${field}.runAsUserName`, user, `runAsUserName${text}`))
      : []),
  ]
}

function credentialSpec(spec: string, field: string): FieldError[] {
  if (spec === '') return [invalid(field, spec, 'gmsaCredentialSpec cannot be an empty string')]
  return byteLength(spec) > 64 * 1024 ? [invalid(field, spec, 'gmsaCredentialSpec size must be under 64 KiB')] : []
}

const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u
const dnsDomain = /^(?:[a-zA-Z0-9-]+\.)*[a-zA-Z0-9-]+$/u

function userProblems(name: string): readonly string[] {
  if (name === '') return [' cannot be an empty string']
  if (/\p{Cc}/u.test(name)) return [' cannot contain control characters']
  const parts = name.split('\\')
  if (parts.length > 2) return [' cannot contain more than one backslash']
  const user = parts.at(-1) ?? ''
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined
  const problems: string[] = []
  if (byteLength(domain ?? '') >= 256) problems.push("'s Domain length must be under 256 characters")
  if (domain !== undefined && !netBios.test(domain) && !dnsDomain.test(domain)) {
    problems.push("'s Domain doesn't match the NetBios nor the DNS format")
  }
  if (user === '') problems.push("'s User cannot be empty")
  else if (byteLength(user) > 104) problems.push("'s User length must not be longer than 104 characters")
  if (/^[. ]+$/u.test(user)) problems.push("'s User cannot contain only periods or spaces")
  if (/["/\\:;|=,+*?<>@[\]]/u.test(user)) {
    problems.push('\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]')
  }
  return problems
}
