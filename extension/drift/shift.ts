/** A place in a text; line and column count from 0, as an editor has them. */
export type Spot = { readonly line: number; readonly character: number }

/** One replacement in a text: what stood between two spots became a text. */
export type Edit = { readonly start: Spot; readonly end: Spot; readonly text: string }

/**
 * Where a spot stands after an edit. What is before the edit stays, what is behind it moves along, what stood within the
 * replaced text goes to its start.
 */
export function shiftSpot(spot: Spot, { start, end, text }: Edit): Spot {
  if (isBefore(spot, start)) return spot
  // Text put in right at the spot pushes it on, as a key is pushed by an indentation.
  if (isBefore(spot, end)) return start
  const lines = text.split('\n')
  const added = lines.length - 1
  const line = spot.line - end.line + start.line + added
  if (spot.line !== end.line) return { line, character: spot.character }
  const last = lines.at(-1)?.length ?? 0
  return { line, character: spot.character - end.character + (added === 0 ? start.character : 0) + last }
}

function isBefore(a: Spot, b: Spot): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character)
}
