import { assertNever } from '../../shared/base/assert-never.ts'
import type { ClusterEvent } from '../../shared/model/cluster.ts'
import { duration } from '../../shared/view/time.ts'
import type { Output } from '../io.ts'
import type { Paint } from './colour.ts'
import { fitText } from './text-width.ts'

const CLEAR_LINE = '\r\u001B[2K'
const MEBIBYTE = 1024 * 1024

/** Tells the steps of an operation: a line as each ends, and on a terminal a footer with the one that runs. */
export class StepProgress {
  readonly #output: Output
  readonly #paint: Paint
  /** Whether the tool's own lines are shown too. */
  readonly #lines: boolean
  readonly #timer: NodeJS.Timeout | undefined
  #footer = ''
  #since = performance.now()
  #current = ''

  constructor(output: Output, paint: Paint, lines: boolean) {
    this.#output = output
    this.#paint = paint
    this.#lines = lines
    this.#timer = output.isTTY === true ? setInterval(() => this.#draw(), 1000) : undefined
    this.#timer?.unref()
  }

  readonly tell = (event: ClusterEvent): void => {
    switch (event.kind) {
      case 'step':
        return this.#step(event)
      case 'line':
        return this.#lines ? this.#line(this.#paint('dim', `  ${event.text}`)) : undefined
      case 'download': {
        const { what, received, total } = event
        const share = total > 0 ? `${Math.floor((received / total) * 100)} %` : `${Math.floor(received / MEBIBYTE)} MiB`
        this.#footer = `fetching ${what}  ${share}`
        if (total > 0 && received === total) this.#line(`${this.#paint('green', '✓')} ${what} fetched`)
        return this.#draw()
      }
      default:
        return assertNever(event)
    }
  }

  end(): void {
    clearInterval(this.#timer)
    this.#footer = ''
    if (this.#timer !== undefined) this.#output.write(CLEAR_LINE)
  }

  #step({ title, state, index, total }: Extract<ClusterEvent, { kind: 'step' }>): void {
    const count = index === undefined || total === undefined ? '' : `  ${index}/${total}`
    if (state === 'running') {
      // minikube tells only that the next step begins.
      if (this.#current !== '' && this.#current !== title) this.#ended('green', '✓', this.#current)
      if (this.#current !== title) this.#since = performance.now()
      this.#current = title
      this.#footer = `${title}${count}`
      return this.#draw()
    }
    this.#current = ''
    this.#footer = ''
    return state === 'done' ? this.#ended('green', '✓', title) : this.#ended('red', '✗', title)
  }

  #ended(colour: 'green' | 'red', glyph: string, title: string): void {
    const took = performance.now() - this.#since
    this.#line(`${this.#paint(colour, glyph)} ${title}${took < 1000 ? '' : this.#paint('dim', `  ${duration(took)}`)}`)
  }

  #line(text: string): void {
    if (this.#timer === undefined) this.#output.write(`${text}\n`)
    else this.#draw(`${text}\n`)
  }

  #draw(above = ''): void {
    if (this.#timer === undefined) return
    const room = Math.max(1, (this.#output.columns ?? 80) - 1)
    const took = this.#footer === '' ? '' : `… ${this.#footer}  ${duration(performance.now() - this.#since)}`
    this.#output.write(`${CLEAR_LINE}${above}${fitText(took, room)}`)
  }
}
