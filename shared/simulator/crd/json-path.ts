import { isObject } from '../object.ts'

/** A compiled path: every value it leads to. */
export type JsonPath = (value: unknown) => readonly unknown[]

type Step = (values: readonly unknown[]) => readonly unknown[]

/**
 * Compiles the JSONPath of a printer column (client-go `util/jsonpath`, the part without templates): fields, quoted
 * fields, indexes, slices, `*`, `..` and filters of one comparison. Undefined for other text.
 */
export function compileJsonPath(path: string): JsonPath | undefined {
  const steps: Step[] = []
  let rest = path.startsWith('$') ? path.slice(1) : path
  while (rest !== '') {
    const parsed = parseStep(rest)
    if (parsed === undefined) return undefined
    steps.push(parsed.step)
    rest = rest.slice(parsed.length)
  }
  return (value) => steps.reduce<readonly unknown[]>((values, step) => step(values), [value])
}

interface ParsedStep {
  readonly step: Step
  readonly length: number
}

function parseStep(text: string): ParsedStep | undefined {
  const recursive = /^\.\.(?=[\w[])/u.exec(text)
  if (recursive !== null) return { step: (values) => values.flatMap(descendants), length: text[2] === '[' ? 2 : 1 }
  const field = /^\.?((?:[^\s.[\]\\]|\\.)+)/u.exec(text)
  if (field !== null && text[0] !== '[') {
    const name = (field[1] ?? '').replaceAll(/\\(.)/gu, '$1')
    return {
      step: name === '*' ? children : (values) => values.flatMap((value) => fieldOf(value, name)),
      length: field[0].length,
    }
  }
  const bracket = bracketOf(text)
  return bracket === undefined ? undefined : bracketStep(bracket)
}

/** The text from `[` to its `]`, quotes respected. */
function bracketOf(text: string): string | undefined {
  return /^\[(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\]'"])*\]/u.exec(text)?.[0]
}

function bracketStep(bracket: string): ParsedStep | undefined {
  const inner = bracket.slice(1, -1).trim()
  const { length } = bracket
  if (inner === '*') return { step: children, length }
  const quoted = /^(['"])(.*)\1$/su.exec(inner)
  if (quoted !== null) {
    const name = (quoted[2] ?? '').replaceAll(/\\(.)/gu, '$1')
    return { step: (values) => values.flatMap((value) => fieldOf(value, name)), length }
  }
  const slice = /^(-?\d*)(?::(-?\d*))?(?::(\d*))?$/u.exec(inner)
  if (slice !== null) return { step: (values) => values.flatMap((value) => indexed(value, inner)), length }
  const filter = /^\?\((.*)\)$/su.exec(inner)
  const test = filter === null ? undefined : compileFilter(filter[1] ?? '')
  return test === undefined ? undefined : { step: (values) => children(values).filter(test), length }
}

function compileFilter(text: string): ((value: unknown) => boolean) | undefined {
  const match = /^\s*@(\S*?)\s*(==|!=|<=|>=|<|>)\s*(.+?)\s*$/su.exec(text)
  if (match === null) {
    const exists = /^\s*@(\S+)\s*$/u.exec(text)
    const path = exists === null ? undefined : compileJsonPath(exists[1] ?? '')
    return path === undefined ? undefined : (value) => path(value).length > 0
  }
  const [, left = '', operator = '', right = ''] = match
  const path = compileJsonPath(left)
  const wanted = literal(right)
  if (path === undefined || wanted === undefined) return undefined
  return (value) => path(value).some((found) => compares(found, operator, wanted))
}

function literal(text: string): string | number | boolean | undefined {
  const quoted = /^(['"])(.*)\1$/su.exec(text)
  if (quoted !== null) return quoted[2] ?? ''
  if (text === 'true' || text === 'false') return text === 'true'
  return Number.isNaN(Number(text)) ? undefined : Number(text)
}

function compares(found: unknown, operator: string, wanted: string | number | boolean): boolean {
  if (operator === '==') return found === wanted
  if (operator === '!=') return found !== wanted
  if (typeof found !== typeof wanted || typeof found === 'boolean') return false
  const [a, b] = [found as string | number, wanted as string | number]
  switch (operator) {
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    default:
      return a >= b
  }
}

function fieldOf(value: unknown, name: string): readonly unknown[] {
  return isObject(value) && Object.hasOwn(value, name) ? [value[name]] : []
}

function children(values: readonly unknown[]): readonly unknown[] {
  return values.flatMap((value) => (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []))
}

function descendants(value: unknown): readonly unknown[] {
  return [value, ...children([value]).flatMap(descendants)]
}

/** `[1]`, `[-1]`, `[0:2]`, `[::2]`. */
function indexed(value: unknown, text: string): readonly unknown[] {
  if (!Array.isArray(value)) return []
  const [start = '', end, step = ''] = text.split(':')
  const from = start === '' ? 0 : Number(start) < 0 ? value.length + Number(start) : Number(start)
  if (end === undefined) return from in value ? [value[from]] : []
  const items = value.slice(from, end === '' ? undefined : Number(end))
  const every = step === '' ? 1 : Number(step)
  return every > 1 ? items.filter((_item, i) => i % every === 0) : items
}
