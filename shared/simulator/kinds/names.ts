/**
 * Rules for names and other short strings, in the words of apimachinery `pkg/util/validation` and `pkg/api/validate/content`.
 * Each check answers with what is wrong, nothing where the value is right.
 */
export type StringCheck = (value: string) => readonly string[]

/** A check for an object's name; `prefix` when it is a generateName, to which something is appended. */
export type NameCheck = (name: string, prefix: boolean) => readonly string[]

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomain1123 = `${label1123}(\\.${label1123})*`
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?'
const labelKey = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const configMapKey = '[-._a-zA-Z0-9]+'

const anchored = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'u')
const patterns = {
  label1123: anchored('[a-z0-9](?:[\\-a-z0-9]*[a-z0-9])?'),
  subdomain1123: anchored('[a-z0-9](?:[\\-a-z0-9]*[a-z0-9])?(?:\\.[a-z0-9](?:[\\-a-z0-9]*[a-z0-9])?)*'),
  label1035: anchored('[a-z](?:[\\-a-z0-9]*[a-z0-9])?'),
  labelKey: anchored('(?:[A-Za-z0-9][\\-A-Za-z0-9_.]*)?[A-Za-z0-9]'),
  configMapKey: anchored('[\\-._a-zA-Z0-9]+'),
  envName: anchored('[\\-._a-zA-Z][\\-._a-zA-Z0-9]*'),
  portName: anchored('[\\-a-z0-9]+'),
  percent: anchored('[0-9]+%'),
  header: anchored('[\\-A-Za-z0-9]+'),
  identifier: anchored('[A-Za-z_][A-Za-z0-9_]*'),
}

/** The text for a value that does not match, as the server builds it. */
export function regexError(message: string, pattern: string, ...examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ')
  return `${message} (${examples.length > 0 ? `e.g. ${shown}` : ''}regex used for validation is '${pattern}')`
}

export function maxLength(length: number): string {
  return `must be no more than ${length} characters`
}

/** The same in the words of the newer checks (`pkg/api/validate/content`). */
function maxBytes(length: number): string {
  return `must be no more than ${length} bytes`
}

export function inRange(value: number, low: number, high: number): readonly string[] {
  return value >= low && value <= high ? [] : [`must be between ${low} and ${high}, inclusive`]
}

/** A UTF-8 length, as Go's `len` counts a string. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text)
}

export const dnsLabel: StringCheck = (value) => {
  const errors: string[] = []
  if (byteLength(value) > 63) errors.push(maxLength(63))
  if (patterns.label1123.test(value)) return errors
  if (patterns.subdomain1123.test(value)) return [...errors, 'must not contain dots']
  const message =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character"
  return [...errors, regexError(message, label1123, 'my-name', '123-abc')]
}

export const dnsSubdomain: StringCheck = (value) => {
  const errors: string[] = []
  if (byteLength(value) > 253) errors.push(maxLength(253))
  if (patterns.subdomain1123.test(value)) return errors
  const message =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"
  return [...errors, regexError(message, subdomain1123, 'example.com')]
}

/** A DNS subdomain whose labels may begin with, and hold, underscores. */
export const underscoredSubdomain: StringCheck = (value) => {
  const label = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
  const errors = byteLength(value) > 253 ? [maxLength(253)] : []
  if (/^_?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?(?:\._?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?)*$/u.test(value)) return errors
  const message =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character"
  return [...errors, regexError(message, `${label}(\\.${label})*`, 'example.com')]
}

export const dns1035Label: StringCheck = (value) => {
  const errors: string[] = []
  if (byteLength(value) > 63) errors.push(maxLength(63))
  if (patterns.label1035.test(value)) return errors
  const message =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character"
  return [...errors, regexError(message, label1035, 'my-name', 'abc-123')]
}

export const wildcardSubdomain: StringCheck = (value) => {
  const errors: string[] = []
  if (byteLength(value) > 253) errors.push(maxLength(253))
  if (value.startsWith('*.') && patterns.subdomain1123.test(value.slice(2))) return errors
  const message =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character"
  return [...errors, regexError(message, `\\*\\.${subdomain1123}`, '*.example.com')]
}

const labelKeyRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
const labelKeyExamples = ['MyName', 'my.name', '123-abc'] as const

/** A label key, which is also Kubernetes' "qualified name". */
export const qualifiedName: StringCheck = (value) => {
  const parts = value.split('/')
  if (parts.length > 2) {
    const text = regexError(labelKeyRule, labelKey, ...labelKeyExamples)
    return [`a valid label key ${text} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]
  }
  const errors: string[] = []
  const name = parts.at(-1) ?? ''
  if (parts.length === 2) {
    const prefix = parts[0] ?? ''
    if (prefix === '') errors.push('prefix part must be non-empty')
    else
      errors.push(
        ...dnsSubdomain(prefix).map((message) => `prefix part ${message.replace(maxLength(253), maxBytes(253))}`),
      )
  }
  if (name === '') errors.push('name part must be non-empty')
  else if (byteLength(name) > 63) errors.push(`name part ${maxBytes(63)}`)
  if (!patterns.labelKey.test(name)) errors.push(`name part ${regexError(labelKeyRule, labelKey, ...labelKeyExamples)}`)
  return errors
}

export const labelValue: StringCheck = (value) => {
  const errors: string[] = []
  if (byteLength(value) > 63) errors.push(maxBytes(63))
  if (value === '' || patterns.labelKey.test(value)) return errors
  const message =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
  return [...errors, regexError(message, `(${labelKey})?`, 'MyValue', 'my_value', '12345')]
}

function parentPathPrefix(value: string): readonly string[] {
  if (value === '.') return ["must not be '.'"]
  if (value === '..') return ["must not be '..'"]
  return value.startsWith('..') ? ["must not start with '..'"] : []
}

export const configKey: StringCheck = (value) => {
  const errors: string[] = []
  if (byteLength(value) > 253) errors.push(maxLength(253))
  if (!patterns.configMapKey.test(value)) {
    const message = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
    errors.push(regexError(message, configMapKey, 'key.name', 'KEY_NAME', 'key-name'))
  }
  return [...errors, ...parentPathPrefix(value)]
}

export const relaxedEnvName: StringCheck = (value) => {
  const errors = value === '' ? ['environment variable name must be non-empty'] : []
  const printable = /^[\x20-\x3c\x3e-\x7e]*$/u.test(value)
  const message = "a valid environment variable name must consist only of printable ASCII characters other than '='"
  return printable ? errors : [...errors, message]
}

export const portName: StringCheck = (value) => {
  const errors: string[] = []
  if (byteLength(value) > 15) errors.push(maxLength(15))
  if (!patterns.portName.test(value)) {
    errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  }
  if (!/[a-z]/u.test(value)) errors.push('must contain at least one letter (a-z)')
  if (value.includes('--')) errors.push('must not contain consecutive hyphens')
  if (value.startsWith('-') || value.endsWith('-')) errors.push('must not begin or end with a hyphen')
  return errors
}

export const portNumber = (value: number): readonly string[] => inRange(value, 1, 65_535)

export const percent: StringCheck = (value) =>
  patterns.percent.test(value)
    ? []
    : [regexError("a valid percent string must be a numeric string followed by an ending '%'", '[0-9]+%', '1%', '93%')]

export const headerName: StringCheck = (value) =>
  patterns.header.test(value)
    ? []
    : [
        regexError(
          "a valid HTTP header must consist of alphanumeric characters or '-'",
          '[-A-Za-z0-9]+',
          'X-Header-Name',
        ),
      ]

function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -1)}a` : name
}

const named =
  (check: StringCheck): NameCheck =>
  (name, prefix) =>
    check(prefix ? maskTrailingDash(name) : name)

export const subdomainName: NameCheck = named(dnsSubdomain)
export const labelName: NameCheck = named(dnsLabel)
/** A DNS subdomain in the words of the checks that are declared (`+k8s:format=k8s-long-name`). */
export const longName: NameCheck = named((value) =>
  dnsSubdomain(value).map((text) => (text === maxLength(253) ? maxBytes(253) : text)),
)
/** A name that only has to fit into a path (RBAC). */
export const pathSegmentName: NameCheck = (name, prefix) => {
  if (!prefix && (name === '.' || name === '..')) return [`may not be '${name}'`]
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`)
}
