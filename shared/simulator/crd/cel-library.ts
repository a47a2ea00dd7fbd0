import { isIP } from 'node:net'
// The package's modules import each other in a ring: its main one must be the first that is read.
import { Environment } from '@marcbachmann/cel-js'
import type { ASTNode } from '@marcbachmann/cel-js'
import { Duration } from '@marcbachmann/cel-js/evaluator'
import { serialize } from '@marcbachmann/cel-js/serialize'
import { RE2JS } from 're2js'
import { addQuantities, compareQuantities, parseQuantity } from '../../fields/quantity.ts'
import type { Quantity } from '../../fields/quantity.ts'

/** An expression's text from its tree. */
export function celText(ast: ASTNode): string {
  return serialize(ast)
}

export function celDuration(ms: number): unknown {
  return Duration.fromMilliseconds(ms)
}

class CelQuantity {
  readonly value: Quantity

  constructor(value: Quantity) {
    this.value = value
  }
}

class CelUrl {
  readonly value: URL

  constructor(value: URL) {
    this.value = value
  }
}

const patterns = new Map<string, RE2JS>()

function regex(pattern: string): RE2JS {
  let compiled = patterns.get(pattern)
  if (compiled === undefined) {
    compiled = RE2JS.compile(pattern)
    if (patterns.size > 500) patterns.clear()
    patterns.set(pattern, compiled)
  }
  return compiled
}

function allMatches(text: string, pattern: string, limit: number): string[] {
  const matcher = regex(pattern).matcher(text)
  const found: string[] = []
  while (found.length < limit && matcher.find()) found.push(matcher.group() ?? '')
  return found
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  const family = isIP(address)
  return rest.length === 0 && family !== 0 && /^\d{1,3}$/u.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}

function celUrl(text: string): CelUrl | undefined {
  const url = attempt(() => new URL(text, text.startsWith('/') ? 'path:///' : undefined))
  return url === undefined ? undefined : new CelUrl(url)
}

function less(a: unknown, b: unknown): boolean {
  return (a as number) < (b as number)
}

function isSorted(values: readonly unknown[]): boolean {
  return values.every((value, i) => i === 0 || !less(value, values[i - 1]))
}

function extreme(values: readonly unknown[], before: (a: unknown, b: unknown) => boolean): unknown {
  if (values.length === 0) throw new Error('min/max called on empty list')
  return values.reduce((best, value) => (before(value, best) ? value : best))
}

function sum(values: readonly unknown[]): unknown {
  if (values.length === 0) return 0n
  return values.reduce((total, value) => (total as number) + (value as number))
}

function equal(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a, bigintText) === JSON.stringify(b, bigintText)
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}

function indexIn(values: readonly unknown[], wanted: unknown): bigint {
  return BigInt(values.findIndex((value) => equal(value, wanted)))
}

function lastIndexIn(values: readonly unknown[], wanted: unknown): bigint {
  return BigInt(values.findLastIndex((value) => equal(value, wanted)))
}

function replaced(text: string, from: string, to: string, times: number): string {
  const parts = text.split(from)
  if (times < 0 || parts.length - 1 <= times) return parts.join(to)
  return parts.slice(0, times + 1).join(to) + from + parts.slice(times + 1).join(from)
}

/** `"%s is %d".format([...])` of CEL's string extensions. */
function formatted(template: string, values: readonly unknown[]): string {
  let i = 0
  return template.replaceAll(/%(?:%|(?:\.\d+)?[sdfebxXo])/gu, (verb) => {
    if (verb === '%%') return '%'
    const value = values[i++]
    const precision = /\.(\d+)/u.exec(verb)?.[1]
    switch (verb.at(-1)) {
      case 'f':
        return Number(value).toFixed(Number(precision ?? 6))
      case 'e':
        return Number(value).toExponential(Number(precision ?? 6))
      case 'x':
        return (value as bigint).toString(16)
      case 'X':
        return (value as bigint).toString(16).toUpperCase()
      case 'o':
        return (value as bigint).toString(8)
      case 'b':
        return typeof value === 'boolean' ? String(Number(value)) : (value as bigint).toString(2)
      default:
        return typeof value === 'string'
          ? value
          : (JSON.stringify(value, bigintText) ?? '').replaceAll(/"(-?\d+)n"/gu, '$1')
    }
  })
}

let environment: Environment | undefined

/**
 * CEL with the functions that Kubernetes adds (apiserver `pkg/cel/library`): lists, regular expressions (RE2, as
 * `matchesRe2`), URLs, IPs, quantities, sets and strings. Names that a rule may use are dynamically typed.
 */
export function celEnvironment(): Environment {
  environment ??= withQuantities(
    withStrings(
      withLists(
        new Environment({
          unlistedVariablesAreDyn: true,
          homogeneousAggregateLiterals: false,
          enableOptionalTypes: true,
          limits: { maxAstNodes: 20_000, maxDepth: 200 },
        }),
      ),
    ),
  )
  return environment
}

function withLists(env: Environment): Environment {
  return env
    .registerFunction('list<dyn>.isSorted(): bool', isSorted)
    .registerFunction('list<dyn>.sum(): dyn', sum)
    .registerFunction('list<dyn>.min(): dyn', (values: unknown[]) => extreme(values, less))
    .registerFunction('list<dyn>.max(): dyn', (values: unknown[]) => extreme(values, (a, b) => less(b, a)))
    .registerFunction('list<dyn>.indexOf(dyn): int', indexIn)
    .registerFunction('list<dyn>.lastIndexOf(dyn): int', lastIndexIn)
    .registerFunction('list<dyn>.containsAll(list<dyn>): bool', (a: unknown[], b: unknown[]) =>
      b.every((value) => indexIn(a, value) >= 0n),
    )
    .registerFunction('list<dyn>.distinct(): list<dyn>', (values: unknown[]) =>
      values.filter((value, i) => indexIn(values, value) === BigInt(i)),
    )
    .registerFunction('list<dyn>.reverse(): list<dyn>', (values: unknown[]) => [...values].reverse())
}

function withStrings(env: Environment): Environment {
  return env
    .registerFunction('string.matchesRe2(string): bool', (text: string, pattern: string) =>
      regex(pattern).matcher(text).find(),
    )
    .registerFunction('matchesRe2(string, string): bool', (text: string, pattern: string) =>
      regex(pattern).matcher(text).find(),
    )
    .registerFunction(
      'string.find(string): string',
      (text: string, pattern: string) => allMatches(text, pattern, 1)[0] ?? '',
    )
    .registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) =>
      allMatches(text, pattern, Infinity),
    )
    .registerFunction('string.findAll(string, int): list<string>', (text: string, pattern: string, limit: bigint) =>
      allMatches(text, pattern, limit < 0n ? Infinity : Number(limit)),
    )
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
      replaced(text, from, to, -1),
    )
    .registerFunction(
      'string.replace(string, string, int): string',
      (text: string, from: string, to: string, times: bigint) => replaced(text, from, to, Number(times)),
    )
    .registerFunction('string.charAt(int): string', (text: string, at: bigint) => Array.from(text)[Number(at)] ?? '')
    .registerFunction('string.format(list<dyn>): string', formatted)
    .registerFunction('isIP(string): bool', (text: string) => isIP(text) !== 0)
    .registerFunction('isCIDR(string): bool', isCidr)
    .registerFunction('isURL(string): bool', (text: string) => celUrl(text) !== undefined)
}

function withQuantities(env: Environment): Environment {
  return env
    .registerType('kubernetes.Quantity', CelQuantity)
    .registerType('kubernetes.URL', CelUrl)
    .registerFunction('isQuantity(string): bool', (text: string) => attempt(() => parseQuantity(text)) !== undefined)
    .registerFunction('quantity(string): kubernetes.Quantity', (text: string) => new CelQuantity(parseQuantity(text)))
    .registerFunction(
      'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool',
      (a: CelQuantity, b: CelQuantity) => compareQuantities(a.value, b.value) > 0,
    )
    .registerFunction(
      'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool',
      (a: CelQuantity, b: CelQuantity) => compareQuantities(a.value, b.value) < 0,
    )
    .registerFunction('kubernetes.Quantity.compareTo(kubernetes.Quantity): int', (a: CelQuantity, b: CelQuantity) =>
      BigInt(compareQuantities(a.value, b.value)),
    )
    .registerFunction(
      'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity',
      (a: CelQuantity, b: CelQuantity) => new CelQuantity(addQuantities(a.value, b.value)),
    )
    .registerFunction('url(string): kubernetes.URL', (text: string) => {
      const url = celUrl(text)
      if (url === undefined) throw new Error(`URL parse error during conversion from string: ${text}`)
      return url
    })
    .registerFunction('kubernetes.URL.getScheme(): string', ({ value }: CelUrl) =>
      value.protocol.replace(/^path:$|:$/u, ''),
    )
    .registerFunction('kubernetes.URL.getHost(): string', ({ value }: CelUrl) => value.host)
    .registerFunction('kubernetes.URL.getHostname(): string', ({ value }: CelUrl) => value.hostname)
    .registerFunction('kubernetes.URL.getPort(): string', ({ value }: CelUrl) => value.port)
    .registerFunction('kubernetes.URL.getEscapedPath(): string', ({ value }: CelUrl) => value.pathname)
}
