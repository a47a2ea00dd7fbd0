import {
  isMap,
  isScalar,
  isSeq,
  stringify,
  type Document,
  type Node,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'

/** A part of a text and what stands there instead. */
export type Splice = { readonly from: number; readonly to: number; readonly text: string }

export function spliced(text: string, { from, to, text: by }: Splice): string {
  return text.slice(0, from) + by + text.slice(to)
}

/** Another value for a scalar, in place. */
export function replaceScalar(node: Node, value: string): Splice {
  const [from, to] = rangeOf(node)
  const block = isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED')
  return { from, to, text: block ? `${scalarText(value)}\n` : scalarText(value) }
}

/** One more key at the end of a mapping, in the mapping's own style. */
export function addKey(text: string, map: YAMLMap, key: string, value: unknown): Splice {
  const { flow, items } = map
  const last = items.at(-1)
  if (flow === true || last === undefined) {
    const end = closingOf(text, map)
    return {
      from: end,
      to: end,
      text: `${last === undefined ? '' : ', '}${JSON.stringify(key)}: ${JSON.stringify(value)}`,
    }
  }
  const first = items[0]?.key as Node
  const indent = ' '.repeat(columnOf(text, rangeOf(first)[0]))
  return lineAfter(text, endOf(map), indented(`${key}: ${blockText(value)}`, indent, indent))
}

/** One more item at the end of a list, in the list's own style. */
export function addItem(text: string, list: YAMLSeq, value: unknown): Splice {
  const dash = dashesOf(list).at(-1)
  if (list.flow === true || dash === undefined) {
    const end = closingOf(text, list)
    return { from: end, to: end, text: `${list.items.length === 0 ? '' : ', '}${JSON.stringify(value)}` }
  }
  const indent = ' '.repeat(columnOf(text, dash))
  return lineAfter(text, endOf(list), indented(stringify(value, STYLE).trimEnd(), `${indent}- `, `${indent}  `))
}

/** A list without one of its items; comments before it stay. */
export function removeItem(text: string, list: YAMLSeq, index: number): Splice {
  if (list.items.length === 1 && list.flow !== true) {
    const from = dashesOf(list)[0] ?? rangeOf(list)[0]
    const before = text.slice(0, from).trimEnd()
    const to = lineEnd(text, endOf(list))
    // A comment may end the line before: the list then begins on a line of its own.
    return /#[^\n]*$/.test(before)
      ? { from, to, text: '[]\n' }
      : { from: before.length, to, text: ` []${text[to - 1] === '\n' ? '\n' : ''}` }
  }
  const item = list.items[index] as Node
  const next = list.items[index + 1] as Node | undefined
  if (list.flow === true) {
    if (next !== undefined) return { from: rangeOf(item)[0], to: rangeOf(next)[0], text: '' }
    const previous = list.items[index - 1] as Node | undefined
    return { from: previous === undefined ? rangeOf(item)[0] : rangeOf(previous)[1], to: rangeOf(item)[1], text: '' }
  }
  const dash = dashesOf(list)[index] ?? 0
  return { from: dash - columnOf(text, dash), to: lineEnd(text, endOf(item)), text: '' }
}

/** A top-level key with a list of one item, where the document has no such key or nothing in the list. */
export function addList(text: string, document: Document, key: string, item: unknown): Splice {
  const block = `${key}:\n${indented(stringify(item, STYLE).trimEnd(), '- ', '  ')}\n`
  const { contents } = document
  if (!isMap(contents)) return { from: text.length, to: text.length, text: `${startOfLine(text)}${block}` }
  const pair = contents.items.find((one) => isScalar(one.key) && one.key.value === key)
  if (contents.flow === true) {
    const nothing = pair?.value as Node | null | undefined
    if (nothing === undefined || nothing === null) return addKey(text, contents, key, [item])
    const [from, to] = rangeOf(nothing)
    return { from, to, text: JSON.stringify([item]) }
  }
  if (pair === undefined) {
    const end = lineEnd(text, endOf(contents))
    return { from: end, to: end, text: `${startOfLine(text.slice(0, end))}${block}` }
  }
  // `contexts:`, `contexts: null` or `contexts: []`: a comment on that line stays.
  const keyEnd = rangeOf(pair.key as Node)[1]
  const value = pair.value as Node | null
  const from = keyEnd + 1
  const valueEnd = value === null ? from : Math.max(from, rangeOf(value)[1])
  const to = lineEnd(text, valueEnd)
  return { from, to, text: `${text.slice(valueEnd, to).trimEnd()}\n${block.slice(block.indexOf('\n') + 1)}` }
}

const STYLE = { lineWidth: 0, version: '1.1', indentSeq: false } as const

/** A scalar that readers of YAML 1.1 and 1.2 alike read as this text. */
export function scalarText(value: string): string {
  return blockText(value)
}

function blockText(value: unknown): string {
  const text = stringify(value, STYLE).trimEnd()
  return text.includes('\n') ? JSON.stringify(value) : text
}

function indented(text: string, first: string, rest: string): string {
  return text
    .split('\n')
    .map((line, index) => (line === '' ? '' : `${index === 0 ? first : rest}${line}`))
    .join('\n')
}

function lineAfter(text: string, end: number, line: string): Splice {
  const at = lineEnd(text, end)
  return { from: at, to: at, text: `${startOfLine(text.slice(0, at))}${line}\n` }
}

/** What has to stand before a new line. */
function startOfLine(before: string): string {
  return before === '' || before.endsWith('\n') ? '' : '\n'
}

/** Just after the line that an offset is in; an offset at a line's start ends the line before. */
function lineEnd(text: string, offset: number): number {
  if (text[offset - 1] === '\n') return offset
  const at = text.indexOf('\n', offset)
  return at === -1 ? text.length : at + 1
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1)
}

/** Where a flow collection's closing bracket is. */
function closingOf(text: string, node: Node): number {
  return text.lastIndexOf(isSeq(node) ? ']' : '}', rangeOf(node)[1])
}

/** Where the last thing that a node holds ends. */
function endOf(node: Node): number {
  if (isMap(node) && node.flow !== true) {
    const last = node.items.at(-1)
    return endOf((last?.value ?? last?.key ?? node) as Node)
  }
  if (isSeq(node) && node.flow !== true) {
    const last = node.items.at(-1) as Node | undefined
    return last === undefined ? rangeOf(node)[1] : endOf(last)
  }
  return rangeOf(node)[1]
}

function dashesOf(list: YAMLSeq): readonly number[] {
  const token = list.srcToken
  if (token?.type !== 'block-seq') return []
  return token.items.flatMap(({ start }) => start.find(({ type }) => type === 'seq-item-ind')?.offset ?? [])
}

function rangeOf(node: Node): readonly [number, number, number] {
  return (node as ParsedNode).range
}
