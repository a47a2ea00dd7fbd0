import { valueAt } from '../model/json.ts'
import type { Json } from '../model/json.ts'
import type { Path } from '../model/pointer.ts'

/** The text behind a path, '' where there is none. */
export function textAt(value: Json | undefined, path: Path): string {
  const found = valueAt(value, path)
  return typeof found === 'string' ? found : ''
}
