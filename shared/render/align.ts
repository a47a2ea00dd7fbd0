import { isArray, isObject } from '../model/json.ts'
import type { Json } from '../model/json.ts'
import type { Path } from '../model/pointer.ts'

/** Fields that Kubernetes tells list items apart by, the commonest first. */
const mergeKeys = [
  'name',
  'containerPort',
  'mountPath',
  'port',
  'key',
  'type',
  'ip',
  'devicePath',
  'topologyKey',
  'uid',
]

/** A path of one value in another, as deep as the other goes; `whole` where it goes all the way. */
export type AlignedPath = { readonly path: Path; readonly whole: boolean }

/**
 * Finds a path of a made object in the text it was made from, where list items may stand at other places: they are
 * told apart by their names, as a strategic merge does.
 */
export function alignPath(made: Json | undefined, path: Path, source: Json | undefined): AlignedPath {
  const aligned: (string | number)[] = []
  let from = made
  let to = source
  for (const step of path) {
    if (isArray(to)) {
      const index = Number(step)
      const item: Json | undefined = isArray(from) ? from[index] : undefined
      const found = indexOfSame(item, index, to)
      if (found === undefined) return { path: aligned, whole: false }
      aligned.push(found)
      from = item
      to = to[found]
    } else {
      if (!isObject(to) || !Object.hasOwn(to, step)) return { path: aligned, whole: false }
      aligned.push(step)
      from = isObject(from) ? from[String(step)] : undefined
      to = to[String(step)]
    }
  }
  return { path: aligned, whole: true }
}

function indexOfSame(item: Json | undefined, index: number, list: readonly Json[]): number | undefined {
  if (!isObject(item)) {
    if (list[index] === item) return index
    const found = list.indexOf(item ?? null)
    return found < 0 ? undefined : found
  }
  const key = mergeKeys.find((each) => item[each] !== undefined)
  if (key === undefined) return index < list.length ? index : undefined
  const found = list.findIndex((each) => isObject(each) && each[key] === item[key])
  return found < 0 ? undefined : found
}
