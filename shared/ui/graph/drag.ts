/** A drag begins after so many pixels; before it is a click. */
const THRESHOLD = 4

/** Follows the pointer from where it was pressed; the click that ends a drag chooses nothing. */
export function drag(event: PointerEvent, onMove: (by: { readonly x: number; readonly y: number }) => void): void {
  if (event.button !== 0) return
  const stage = event.currentTarget as HTMLElement
  const end = new AbortController()
  let dragging = false
  const move = ({ clientX, clientY }: PointerEvent): void => {
    const by = { x: clientX - event.clientX, y: clientY - event.clientY }
    if (!dragging && Math.hypot(by.x, by.y) < THRESHOLD) return
    if (!dragging) stage.setPointerCapture(event.pointerId)
    dragging = true
    stage.classList.add('dragging')
    onMove(by)
  }
  const stop = (): void => {
    stage.classList.remove('dragging')
    end.abort()
    if (!dragging) return
    stage.addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => stage.removeEventListener('click', swallow, { capture: true }), 0)
  }
  stage.addEventListener('pointermove', move, { signal: end.signal })
  stage.addEventListener('pointerup', stop, { signal: end.signal })
  stage.addEventListener('pointercancel', stop, { signal: end.signal })
}

function swallow(event: Event): void {
  event.stopPropagation()
  event.preventDefault()
}
