import { isIPv6 } from 'node:net'

/** Warnings about addresses that are right but not in their usual form; others are refused since 1.36. */
export function ipWarnings(value: string, field: string): string[] {
  if (!isIPv6(value)) return []
  const canonical = canonicalIpv6(value)
  if (canonical === value) return []
  return [`${field}: IPv6 address "${value}" should be in RFC 5952 canonical format ("${canonical}")`]
}

export function cidrWarnings(value: string, field: string): string[] {
  const slash = value.lastIndexOf('/')
  const address = value.slice(0, Math.max(slash, 0))
  if (!isIPv6(address)) return []
  const canonical = canonicalIpv6(address) + value.slice(slash)
  if (canonical === value) return []
  return [`${field}: IPv6 CIDR value "${value}" should be in RFC 5952 canonical format ("${canonical}")`]
}

/** An IPv6 address as RFC 5952 writes it. */
export function canonicalIpv6(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1)
}
