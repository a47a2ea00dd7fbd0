/** Which rows of a long list stand in the page: those that are seen, and some around them. */
export type RowRange = { readonly from: number; readonly to: number }

const AROUND = 10

/**
 * @param top how far the list is scrolled, in pixels
 * @param height of what is seen of it
 */
export function rowsInView(top: number, height: number, rowHeight: number, count: number): RowRange {
  const first = Math.floor(top / rowHeight) - AROUND
  const last = Math.ceil((top + height) / rowHeight) + AROUND
  return { from: Math.max(0, Math.min(first, count)), to: Math.min(count, Math.max(0, last)) }
}
