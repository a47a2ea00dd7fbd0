import type { Rectangle } from 'electron'

/** How the window was left. */
export type WindowState = Rectangle & { readonly maximized: boolean }

const LEAST = { width: 640, height: 420 } as const
const USUAL = { width: 1280, height: 820 } as const
/** So much of a title bar has to be seen to get hold of it. */
const GRIP = 80

/** A state as a file holds it; undefined where it holds none. */
export function windowStateOf(value: unknown): WindowState | undefined {
  const { x, y, width, height, maximized } = (value ?? {}) as Readonly<Record<string, unknown>>
  const numbers = [x, y, width, height]
  if (!numbers.every((one) => Number.isSafeInteger(one)) || typeof maximized !== 'boolean') return undefined
  return { x, y, width, height, maximized } as WindowState
}

/** Where a window opens: as it was left, if that is on a display which there still is, else in the middle of the first. */
export function placeOf(
  state: WindowState | undefined,
  displays: readonly Rectangle[],
): Partial<Rectangle> & Pick<Rectangle, 'width' | 'height'> {
  if (state === undefined) return USUAL
  const width = Math.max(LEAST.width, state.width)
  const height = Math.max(LEAST.height, state.height)
  const isSeen = displays.some(
    (display) =>
      state.x + width >= display.x + GRIP &&
      state.x <= display.x + display.width - GRIP &&
      state.y >= display.y - 1 &&
      state.y <= display.y + display.height - GRIP,
  )
  return isSeen ? { x: state.x, y: state.y, width, height } : { width, height }
}
