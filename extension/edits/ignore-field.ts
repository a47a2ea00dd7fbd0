import type { ResourceId } from '../../shared/model/kubernetes.ts'
import { yamlLines } from '../../shared/view/yaml-lines.ts'
import type { TextChange } from './text-edit.ts'

/**
 * The edit that adds a field of one object to `spec.ignoreDifferences` of an Application. Undefined where the file is
 * written in a way that has no line to put it on (flow style), or has changed since.
 *
 * @param startLine where the Application's document starts, counted from 1
 */
export function ignoreField(
  lines: readonly string[],
  startLine: number,
  { id, pointer }: { readonly id: ResourceId; readonly pointer: string },
): TextChange | undefined {
  const first = startLine - 1
  const end = lines.findIndex((line, index) => index > first && /^(?:---|\.\.\.)(?:\s|$)/.test(line))
  const own = lines.slice(first, end < 0 ? undefined : end)
  const places = placesIn(own)
  const list = places?.get('/spec/ignoreDifferences')
  const item = places?.get('/spec/ignoreDifferences/0')
  if (list !== undefined) {
    const line = item === undefined ? undefined : own[item - 1]
    const indent = line === undefined ? undefined : /^(\s*)-\s/.exec(line)?.[1]
    return indent === undefined ? undefined : insertion(first + list, itemLines(indent, id, pointer))
  }
  const spec = places?.get('/spec')
  const child = [...(places ?? [])].find(([path]) => /^\/spec\/[^/]+$/.test(path))?.[1]
  if (spec === undefined || child === undefined || child === spec) return undefined
  const indent = /^\s*/.exec(own[child - 1] ?? '')?.[0] ?? ''
  return insertion(first + spec, [`${indent}ignoreDifferences:`, ...itemLines(`${indent}  `, id, pointer)])
}

function placesIn(lines: readonly string[]): ReadonlyMap<string, number> | undefined {
  try {
    return yamlLines(lines.join('\n'))
  } catch {
    // Somebody is in the middle of typing it.
    return undefined
  }
}

function itemLines(indent: string, { group, kind, namespace, name }: ResourceId, pointer: string): readonly string[] {
  const keys = [
    ...(group === '' ? [] : [`group: ${group}`]),
    `kind: ${kind}`,
    `name: ${name}`,
    ...(namespace === '' ? [] : [`namespace: ${namespace}`]),
    'jsonPointers:',
  ]
  return [
    ...keys.map((text, index) => `${indent}${index === 0 ? '- ' : '  '}${text}`),
    `${indent}    - ${/^[\w/~.-]+$/.test(pointer) ? pointer : JSON.stringify(pointer)}`,
  ]
}

function insertion(line: number, lines: readonly string[]): TextChange {
  const at = { line, character: 0 }
  return { start: at, end: at, text: lines.map((text) => `${text}\n`).join('') }
}
