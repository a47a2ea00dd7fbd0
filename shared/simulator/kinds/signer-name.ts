import { goQuote, invalid, required, tooLong } from './field-error.ts'
import type { FieldError } from './field-error.ts'
import { byteLength, dnsLabel, dnsSubdomain } from './names.ts'
import type { StringCheck } from './names.ts'

/** The name of a signer of certificates, `example.com/signer` (`ValidateSignerName`). */
export function signerName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)]
  const [domain = '', path = '', ...more] = name.split('/')
  if (!name.includes('/') || more.length > 0) {
    return [invalid(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")]
  }
  return [
    ...(byteLength(domain) > 253 ? [tooLong(field, 253)] : []),
    ...firstBadLabel(domain, dnsLabel, field),
    ...(domain.includes('.')
      ? []
      : [invalid(field, domain, 'should be a domain with at least two segments separated by dots')]),
    ...firstBadLabel(path, dnsSubdomain, field),
    ...(byteLength(name) > 571 ? [tooLong(field, 571)] : []),
  ]
}

function firstBadLabel(part: string, check: StringCheck, field: string): FieldError[] {
  for (const label of part.split('.')) {
    const errors = check(label)
    if (errors.length > 0)
      return errors.map((text) => invalid(field, part, `validating label ${goQuote(label)}: ${text}`))
  }
  return []
}
