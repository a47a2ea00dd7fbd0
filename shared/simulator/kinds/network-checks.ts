import { isIPv4, isIPv6 } from 'node:net'
import type { FieldError } from './field-error.ts'
import { invalid } from './field-error.ts'
import { canonicalIpv6 } from './network-warnings.ts'

/** An address as Go's lenient parser takes it: leading zeros in IPv4 parts are allowed. */
function looksLikeIp(text: string): boolean {
  if (isIPv6(text)) return !text.includes('%')
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/u.test(part) && Number(part) <= 255)
}

/** An IP address by the strict rules that fields of old kinds have since 1.36. */
export function validIp(value: string, field: string): FieldError[] {
  if (!looksLikeIp(value)) {
    return [invalid(field, value, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
  }
  if (!isIPv6(value) && !isIPv4(value)) return [invalid(field, value, 'must not have leading 0s')]
  if (/^::ffff:\d+\.\d+\.\d+\.\d+$/iu.test(value)) {
    return [invalid(field, value, 'must not be an IPv4-mapped IPv6 address')]
  }
  return []
}

/** An IP address in its usual form, as fields of newer kinds want it. */
export function canonicalIp(value: string, field: string): FieldError[] {
  const errors = validIp(value, field)
  const usual = isIPv6(value) ? canonicalIpv6(value) : value
  if (errors.length > 0 || usual === value) return errors
  return [invalid(field, value, `must be in canonical form ("${usual}")`)]
}

/** A CIDR block whose address has no bits beyond the prefix. */
export function validCidr(value: string, field: string): FieldError[] {
  const slash = value.lastIndexOf('/')
  const address = value.slice(0, slash)
  const length = value.slice(slash + 1)
  const max = isIPv6(address) ? 128 : 32
  if (slash < 0 || !looksLikeIp(address) || !/^\d{1,3}$/u.test(length) || Number(length) > max) {
    return [invalid(field, value, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')]
  }
  if ((!isIPv6(address) && !isIPv4(address)) || (length.length > 1 && length.startsWith('0'))) {
    return [invalid(field, value, 'must not have leading 0s in IP or prefix length')]
  }
  const masked = maskAddress(address, Number(length))
  if (masked !== undefined && masked !== address) {
    return [invalid(field, value, 'must not have bits set beyond the prefix length')]
  }
  return []
}

/** The network of an IPv4 address; IPv6 is left alone. */
function maskAddress(address: string, length: number): string | undefined {
  if (!isIPv4(address)) return undefined
  const mask = length === 0 ? 0 : (0xff_ff_ff_ff << (32 - length)) >>> 0
  const network = (ipv4Number(address) & mask) >>> 0
  return ipv4Text(network)
}

export function ipv4Number(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

export function ipv4Text(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.')
}

/** Whether a block holds another one or an address, IPv4 only. */
export function cidrContains(outer: string, inner: string): boolean {
  const [address = '', length = '32'] = outer.split('/')
  const [innerAddress = '', innerLength = '32'] = inner.split('/')
  if (!isIPv4(address) || !isIPv4(innerAddress) || Number(innerLength) < Number(length)) return false
  const size = 2 ** (32 - Number(length))
  return Math.floor(ipv4Number(address) / size) === Math.floor(ipv4Number(innerAddress) / size)
}

/** An address that an endpoint may have (`ValidateEndpointIP`). */
export function endpointIp(value: string, field: string): FieldError[] {
  if (!looksLikeIp(value)) return [invalid(field, value, 'must be a valid IP address')]
  const lower = value.toLowerCase()
  if (value === '0.0.0.0' || lower === '::') return [invalid(field, value, `may not be unspecified (${value})`)]
  if (value.startsWith('127.') || lower === '::1') {
    return [invalid(field, value, 'may not be in the loopback range (127.0.0.0/8, ::1/128)')]
  }
  if (value.startsWith('169.254.') || /^fe[89ab]/u.test(lower)) {
    return [invalid(field, value, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)')]
  }
  if (value.startsWith('224.0.0.') || lower.startsWith('ff02')) {
    return [invalid(field, value, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)')]
  }
  return []
}
