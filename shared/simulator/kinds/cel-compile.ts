import { celEnvironment } from '../crd/cel-library.ts'
import { isObject } from '../object.ts'

/** Names that CEL and its libraries have themselves: types, and what functions are called on. */
const known = new Set([
  'base64',
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'format',
  'google',
  'int',
  'list',
  'lists',
  'map',
  'math',
  'net',
  'null_type',
  'optional',
  'optional_type',
  'sets',
  'string',
  'strings',
  'timestamp',
  'type',
  'uint',
])

/** Macros that bind names: how many of their arguments are names. */
const binders: Readonly<Record<string, number>> = {
  all: 1,
  exists: 1,
  exists_one: 1,
  existsOne: 1,
  filter: 1,
  map: 1,
  optMap: 1,
  optFlatMap: 1,
  sortBy: 1,
}

interface Node {
  readonly op: string
  readonly args: unknown
  readonly start: number
}

/** What cel-go's grammar would have begun with. */
const nothingToCompile =
  "compilation failed: ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting " +
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"

/**
 * What keeps an expression from compiling, in cel-go's words: a name that is not declared, or text that is no expression (which
 * cel-go words by its grammar, and we by ours). Types are not checked.
 */
export function celProblem(text: string, declared: readonly string[]): string | undefined {
  if (text === '') return nothingToCompile
  let ast: unknown
  try {
    ast = celEnvironment().parse(text).ast
  } catch (error) {
    // Messages (`Type{field: 1}`) are known to cel-go alone.
    if (/[\w.]\{/u.test(text)) return undefined
    const [first = ''] = error instanceof Error ? error.message.split('\n') : []
    return `compilation failed: ${complaint(text, Math.max(0, text.trimEnd().length - 1), `Syntax error: ${first}`)}`
  }
  const unknown = undeclared(ast, new Set([...known, ...declared]))
  if (unknown.length === 0) return undefined
  const lines = unknown.map(({ args, start }) =>
    complaint(text, start, `undeclared reference to '${String(args)}' (in container '')`),
  )
  return `compilation failed: ${lines.join('\n')}`
}

function isNode(value: unknown): value is Node {
  return isObject(value) && typeof value['op'] === 'string' && typeof value['start'] === 'number'
}

function undeclared(value: unknown, names: ReadonlySet<string>): readonly Node[] {
  if (Array.isArray(value)) return value.flatMap((item) => undeclared(item, names))
  if (!isNode(value)) return []
  if (value.op === 'id') return names.has(String(value.args)) ? [] : [value]
  const { args } = value
  if (value.op === 'rcall' && Array.isArray(args)) {
    const [name, receiver, list] = args as readonly unknown[]
    const count = binders[String(name)] ?? 0
    if (count > 0 && Array.isArray(list)) {
      const bound = list
        .slice(0, count)
        .flatMap((item) => (isNode(item) && item.op === 'id' ? [String(item.args)] : []))
      return [...undeclared(receiver, names), ...undeclared(list.slice(count), new Set([...names, ...bound]))]
    }
  }
  return undeclared(args, names)
}

/** One complaint as cel-go prints it, under the line it is about. */
function complaint(text: string, at: number, problem: string): string {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  const column = at - (before.lastIndexOf('\n') + 1)
  const shown = text.split('\n')[line - 1] ?? ''
  return `ERROR: <input>:${line}:${column + 1}: ${problem}\n | ${shown}\n | ${'.'.repeat(column)}^`
}
