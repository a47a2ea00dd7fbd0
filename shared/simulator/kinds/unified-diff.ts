/**
 * The unified diff of two values printed as indented JSON, with three lines of context and no file header, as apimachinery
 * `pkg/util/diff` prints it into messages (it follows Python's difflib).
 */
export function jsonDiff(before: unknown, after: unknown): string {
  return unifiedDiff(JSON.stringify(before, null, 1).split('\n'), JSON.stringify(after, null, 1).split('\n'))
}

interface Opcode {
  readonly tag: 'equal' | 'replace' | 'delete' | 'insert'
  readonly a: readonly [from: number, to: number]
  readonly b: readonly [from: number, to: number]
}

const context = 3

function unifiedDiff(a: readonly string[], b: readonly string[]): string {
  return groups(opcodes(a, b))
    .map((group) => hunk(group, a, b))
    .join('')
}

function hunk(group: readonly Opcode[], a: readonly string[], b: readonly string[]): string {
  const first = group[0]
  const last = group.at(-1)
  if (!first || !last) return ''
  const lines = group.flatMap(({ tag, a: [a1, a2], b: [b1, b2] }) => {
    if (tag === 'equal') return a.slice(a1, a2).map((line) => ` ${line}`)
    return [...a.slice(a1, a2).map((line) => `-${line}`), ...b.slice(b1, b2).map((line) => `+${line}`)]
  })
  const header = `@@ -${range(first.a[0], last.a[1])} +${range(first.b[0], last.b[1])} @@`
  return `${[header, ...lines].join('\n')}\n`
}

function range(start: number, stop: number): string {
  const length = stop - start
  if (length === 1) return String(start + 1)
  return `${length === 0 ? start : start + 1},${length}`
}

function groups(codes: readonly Opcode[]): Opcode[][] {
  const out: Opcode[][] = []
  let group: Opcode[] = []
  codes.forEach((code, i) => {
    if (code.tag !== 'equal') {
      group.push(code)
      return
    }
    const isFirst = i === 0
    const isLast = i === codes.length - 1
    const length = code.a[1] - code.a[0]
    if (!isFirst && !isLast && length <= context * 2) {
      group.push(code)
      return
    }
    if (!isFirst) group.push(trim(code, 0, Math.min(length, context)))
    if (group.some(({ tag }) => tag !== 'equal')) out.push(group)
    group = isLast ? [] : [trim(code, Math.max(0, length - context), length)]
  })
  if (group.some(({ tag }) => tag !== 'equal')) out.push(group)
  return out
}

function trim(code: Opcode, from: number, to: number): Opcode {
  return { tag: 'equal', a: [code.a[0] + from, code.a[0] + to], b: [code.b[0] + from, code.b[0] + to] }
}

function opcodes(a: readonly string[], b: readonly string[]): Opcode[] {
  const out: Opcode[] = []
  let [i, j] = [0, 0]
  for (const [start, other, size] of [...matchingBlocks(a, b), [a.length, b.length, 0] as const]) {
    if (i < start && j < other) out.push({ tag: 'replace', a: [i, start], b: [j, other] })
    else if (i < start) out.push({ tag: 'delete', a: [i, start], b: [j, other] })
    else if (j < other) out.push({ tag: 'insert', a: [i, start], b: [j, other] })
    i = start + size
    j = other + size
    if (size > 0) out.push({ tag: 'equal', a: [start, i], b: [other, j] })
  }
  return out
}

type Block = readonly [a: number, b: number, size: number]

function matchingBlocks(a: readonly string[], b: readonly string[]): Block[] {
  const places = linePlaces(b)
  const found: Block[] = []
  const queue: (readonly [number, number, number, number])[] = [[0, a.length, 0, b.length]]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const [aLow, aHigh, bLow, bHigh] = next
    const [i, j, size] = longestMatch(a, b, places, next)
    if (size === 0) continue
    found.push([i, j, size])
    if (aLow < i && bLow < j) queue.push([aLow, i, bLow, j])
    if (i + size < aHigh && j + size < bHigh) queue.push([i + size, aHigh, j + size, bHigh])
  }
  return mergeAdjacent(found.sort((x, y) => x[0] - y[0] || x[1] - y[1]))
}

/** Where each line stands in `b`; in long texts lines that are very common do not start a match. */
function linePlaces(b: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  b.forEach((line, i) => {
    const known = places.get(line)
    if (known) known.push(i)
    else places.set(line, [i])
  })
  if (b.length < 200) return places
  const limit = Math.floor(b.length / 100) + 1
  for (const [line, at] of places) if (at.length > limit) places.delete(line)
  return places
}

function longestMatch(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  [aLow, aHigh, bLow, bHigh]: readonly [number, number, number, number],
): Block {
  let [bestA, bestB, bestSize] = [aLow, bLow, 0]
  let lengths = new Map<number, number>()
  for (let i = aLow; i < aHigh; i++) {
    const next = new Map<number, number>()
    for (const j of places.get(a[i] ?? '') ?? []) {
      if (j < bLow) continue
      if (j >= bHigh) break
      const size = (lengths.get(j - 1) ?? 0) + 1
      next.set(j, size)
      if (size > bestSize) [bestA, bestB, bestSize] = [i - size + 1, j - size + 1, size]
    }
    lengths = next
  }
  while (bestA > aLow && bestB > bLow && a[bestA - 1] === b[bestB - 1])
    [bestA, bestB, bestSize] = [bestA - 1, bestB - 1, bestSize + 1]
  while (bestA + bestSize < aHigh && bestB + bestSize < bHigh && a[bestA + bestSize] === b[bestB + bestSize]) bestSize++
  return [bestA, bestB, bestSize]
}

function mergeAdjacent(blocks: readonly Block[]): Block[] {
  const out: Block[] = []
  for (const block of blocks) {
    const last = out.at(-1)
    if (last && last[0] + last[2] === block[0] && last[1] + last[2] === block[1]) {
      out[out.length - 1] = [last[0], last[1], last[2] + block[2]]
    } else out.push(block)
  }
  return out
}
