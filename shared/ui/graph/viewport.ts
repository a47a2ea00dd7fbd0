/** How the picture lies in its window: `x` and `y` are where its corner is, in pixels of the window. */
export type Viewport = { readonly x: number; readonly y: number; readonly scale: number }

type Size = { readonly width: number; readonly height: number }
type Point = { readonly x: number; readonly y: number }

const LEAST = 0.15
const MOST = 2
/** What fits is not blown up. */
const LARGEST_FIT = 1
/** Smaller words are not read. */
const SMALLEST_BEGIN = 0.75

/** The whole picture in the window. */
export function fit(picture: Size, window: Size): Viewport {
  if (picture.width <= 0 || picture.height <= 0 || window.width <= 0) return { x: 0, y: 0, scale: 1 }
  const scale = clamp(Math.min(window.width / picture.width, window.height / picture.height, LARGEST_FIT))
  return { x: Math.max(0, (window.width - picture.width * scale) / 2), y: 0, scale }
}

/** How a picture is first met: from its corner, a little smaller where that makes its width fit. */
export function begin(picture: Size, window: Size): Viewport {
  const scale = window.width / picture.width
  return { x: 0, y: 0, scale: scale < 1 && scale > SMALLEST_BEGIN ? scale : 1 }
}

/** Closer or further away, what is under the pointer staying there. */
export function zoomAt(view: Viewport, factor: number, at: Point): Viewport {
  const scale = clamp(view.scale * factor)
  const by = scale / view.scale
  return { scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }
}

/** Moved, without losing the picture: an edge of it stays in the window. */
export function pan(view: Viewport, by: Point, picture: Size, window: Size): Viewport {
  const rest = 60
  const x = Math.min(window.width - rest, Math.max(rest - picture.width * view.scale, view.x + by.x))
  const y = Math.min(window.height - rest, Math.max(rest - picture.height * view.scale, view.y + by.y))
  return { ...view, x, y }
}

/** Moved as little as shows the box whole. */
export function reveal(view: Viewport, box: Point & Size, window: Size): Viewport {
  const edge = 12
  const left = view.x + box.x * view.scale
  const top = view.y + box.y * view.scale
  const width = box.width * view.scale
  const height = box.height * view.scale
  const dx = left < edge ? edge - left : Math.min(0, window.width - edge - left - width)
  const dy = top < edge ? edge - top : Math.min(0, window.height - edge - top - height)
  return { ...view, x: view.x + dx, y: view.y + dy }
}

function clamp(scale: number): number {
  return Math.min(MOST, Math.max(LEAST, scale))
}
