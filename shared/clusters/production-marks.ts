import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { writePrivately } from './private-file.ts'

/** Which contexts a person calls production, and which they say are none though their name looks so. */
export type ProductionMarks = { readonly marked: readonly string[]; readonly cleared: readonly string[] }

/** A name that says so is taken at its word until the person says otherwise. */
const LOOKS_SO = /prod/i

export async function readMarks(state: string): Promise<ProductionMarks> {
  try {
    const { marked, cleared } = JSON.parse(await readFile(markFile(state), 'utf8')) as Partial<ProductionMarks>
    return { marked: textsOf(marked), cleared: textsOf(cleared) }
  } catch {
    // Nothing was ever marked.
    return { marked: [], cleared: [] }
  }
}

export function isProduction(context: string, { marked, cleared }: ProductionMarks): boolean {
  return marked.includes(context) || (LOOKS_SO.test(context) && !cleared.includes(context))
}

export async function markProduction(context: string, production: boolean, state: string): Promise<void> {
  const { marked, cleared } = await readMarks(state)
  const without = (names: readonly string[]): readonly string[] => names.filter((name) => name !== context)
  const next: ProductionMarks = production
    ? { marked: [...without(marked), context], cleared: without(cleared) }
    : { marked: without(marked), cleared: [...without(cleared), context] }
  await writePrivately(markFile(state), JSON.stringify(next))
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function markFile(state: string): string {
  return path.join(state, 'production.json')
}
