import type { TerminalColour } from '../../shared/view/marks.ts'

/** Wraps a text in a colour, or leaves it as it is. */
export type Paint = (colour: TerminalColour | 'bold' | undefined, text: string) => string

const CODES: Readonly<Record<TerminalColour | 'bold', readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
}

export const plainPaint: Paint = (_, text) => text

const colourPaint: Paint = (colour, text) => {
  if (colour === undefined || text === '') return text
  const [on, off] = CODES[colour]
  return `\u001B[${on}m${text}\u001B[${off}m`
}

/** The paint for an output: colour on a terminal that knows it, forced by FORCE_COLOR, and never against NO_COLOR. */
export function paintFor(
  output: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  return wantsColour(output, env) ? colourPaint : plainPaint
}

function wantsColour(output: { readonly isTTY?: boolean }, env: Readonly<Record<string, string | undefined>>): boolean {
  // https://no-color.org: any value but the empty one.
  if ((env['NO_COLOR'] ?? '') !== '') return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return output.isTTY === true && env['TERM'] !== 'dumb'
}
