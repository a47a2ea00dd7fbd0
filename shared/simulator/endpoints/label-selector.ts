import { badRequest } from '../errors.ts'
import { goQuote } from '../kinds/field-error.ts'
import { qualifiedName } from '../kinds/names.ts'

/** A parsed selector: does a set of labels satisfy it? */
export type LabelMatcher = (labels: Readonly<Record<string, string>> | undefined) => boolean

interface Requirement {
  readonly key: string
  readonly operator: 'in' | 'notin' | 'exists' | 'absent' | 'gt' | 'lt'
  readonly values: ReadonlySet<string>
}

interface Token {
  readonly kind: 'word' | 'symbol' | 'end'
  readonly text: string
}

const symbols = /^(?:==|!=|=|!|,|\(|\)|>|<)/u

/**
 * Parses the selector syntax of apimachinery `pkg/labels/selector.go`.
 *
 * @throws StatusError 400 in the words of that parser.
 */
export function parseLabelSelector(text: string): LabelMatcher | undefined {
  if (text.trim() === '') return undefined
  // The lexer takes a zero byte for the end.
  const [readable = ''] = text.split('\u0000', 1)
  if (readable.trim() === '') return undefined
  const requirements = new Parser(tokenize(readable)).parse()
  return (labels) => requirements.every((requirement) => satisfies(requirement, labels ?? {}))
}

function satisfies({ key, operator, values }: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (operator) {
    case 'in':
      return value !== undefined && values.has(value)
    case 'notin':
      return value === undefined || !values.has(value)
    case 'exists':
      return value !== undefined
    case 'absent':
      return value === undefined
    case 'gt':
    case 'lt': {
      const [bound = ''] = values
      if (value === undefined || !/^[+-]?\d+$/u.test(value)) return false
      return operator === 'gt' ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound)
    }
  }
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let rest = text
  for (;;) {
    rest = rest.replace(/^[ \t\r\n]+/u, '')
    if (rest === '') return [...tokens, { kind: 'end', text: '' }]
    const symbol = symbols.exec(rest)?.[0]
    const word = symbol ?? /^[^ \t\r\n=!,()><]+/u.exec(rest)?.[0] ?? rest[0] ?? ''
    tokens.push({ kind: symbol === undefined ? 'word' : 'symbol', text: word })
    rest = rest.slice(word.length)
  }
}

function failure(detail: string): never {
  throw badRequest(`unable to parse requirement: ${detail}`)
}

class Parser {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = []
    for (;;) {
      const token = this.#peek()
      if (token.kind !== 'word' && token.text !== '!') {
        throw badRequest(`found '${token.text}', expected: !, identifier, or 'end of string'`)
      }
      requirements.push(this.#requirement())
      const next = this.#next()
      if (next.kind === 'end') return requirements
      if (next.text !== ',') throw badRequest(`found '${next.text}', expected: ',' or 'end of string'`)
      const after = this.#peek()
      if (after.kind !== 'word' && after.text !== '!') {
        throw badRequest(`found '${after.text}', expected: identifier after ','`)
      }
    }
  }

  #requirement(): Requirement {
    const negated = this.#peek().text === '!' && this.#next() !== undefined
    const key = this.#next()
    if (key.kind !== 'word') failure(`found '${key.text}', expected: identifier`)
    checkKey(key.text)
    if (negated) return { key: key.text, operator: 'absent', values: new Set() }
    const following = this.#peek()
    if (following.kind === 'end' || following.text === ',') {
      return { key: key.text, operator: 'exists', values: new Set() }
    }
    return this.#comparison(key.text)
  }

  #comparison(key: string): Requirement {
    const operator = this.#next()
    switch (operator.text) {
      case 'in':
      case 'notin':
        return checked({ key, operator: operator.text, values: this.#set() })
      case '=':
      case '==':
        return checked({ key, operator: 'in', values: new Set([this.#exact()]) })
      case '!=':
        return checked({ key, operator: 'notin', values: new Set([this.#exact()]) })
      case '>':
      case '<':
        return this.#bound(key, operator.text === '>' ? 'gt' : 'lt')
      default:
        return failure(`found '${operator.text}', expected: in, notin, =, ==, !=, gt, lt`)
    }
  }

  #bound(key: string, operator: 'gt' | 'lt'): Requirement {
    const text = this.#exact()
    if (!/^[+-]?\d+$/u.test(text)) {
      failure(`values[0]: Invalid value: ${goQuote(text)}: for 'Gt', 'Lt' operators, the value must be an integer`)
    }
    return { key, operator, values: new Set([text]) }
  }

  #exact(): string {
    const following = this.#peek()
    if (following.kind === 'end' || following.text === ',') return ''
    const token = this.#next()
    if (token.kind !== 'word') failure(`found '${token.text}', expected: identifier`)
    return token.text
  }

  #set(): Set<string> {
    const open = this.#next()
    if (open.text !== '(') failure(`found '${open.text}' expected: '('`)
    const values = new Set<string>()
    if (this.#peek().text === ')') {
      this.#next()
      return values.add('')
    }
    for (;;) {
      const token = this.#peek()
      if (token.kind === 'word') values.add(this.#next().text)
      else if (token.text === ',') values.add('')
      else failure(`found '${token.text}', expected: ',', ')' or identifier`)
      const separator = this.#next()
      if (separator.text === ')') return values
      if (separator.text !== ',') failure(`found '${separator.text}', expected: ',' or ')'`)
      if (this.#peek().text === ')') {
        this.#next()
        return values.add('')
      }
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' }
  }

  #next(): Token {
    const token = this.#peek()
    this.#at++
    return token
  }
}

const valueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

function checkKey(key: string): void {
  const problems = qualifiedName(key)
  if (problems.length > 0) failure(`<nil>: Invalid value: ${goQuote(key)}: ${problems.join('; ')}`)
}

function checked(requirement: Requirement): Requirement {
  let i = 0
  for (const value of requirement.values) {
    const at = `values[${i++}][${requirement.key}]`
    if (value.length > 63) failure(`${at}: Invalid value: ${goQuote(value)}: must be no more than 63 bytes`)
    if (!/^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/u.test(value)) {
      failure(`${at}: Invalid value: ${goQuote(value)}: ${valueText}`)
    }
  }
  return requirement
}
