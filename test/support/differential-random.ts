import type { Random } from './random.ts'

export function chance(random: Random, probability: number): boolean {
  return random.next() < probability
}

/**
 * One of the items.
 *
 * @throws Error where there are none.
 */
export function pickFrom<T>(random: Random, items: readonly T[]): T {
  if (items.length === 0) throw new Error('nothing to pick from')
  return items[random.below(items.length)] as T
}
