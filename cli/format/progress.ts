import { duration } from '../../shared/view/time.ts'
import { fitText } from './text-width.ts'

export type ProgressState = {
  readonly done: number
  readonly total: number
  /** Counts from 1; absent where a sync has one wave only. */
  readonly wave?: number
  readonly waves?: number
  /** What is waited for; empty while steps run. */
  readonly waiting?: string
}

/** `wave 1/3  4/9  12 s`. */
export function progressText({ done, total, wave, waves, waiting }: ProgressState, elapsedMs: number): string {
  const parts = [
    wave === undefined || waves === undefined || waves < 2 ? '' : `wave ${wave}/${waves}`,
    `${done}/${total}`,
    elapsedMs < 10_000 ? `${Math.floor(elapsedMs / 1000)} s` : duration(elapsedMs),
    waiting === undefined || waiting === '' ? '' : `waiting for ${waiting}`,
  ]
  return parts.filter((part) => part !== '').join('  ')
}

type Output = { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number }

export type Progress = {
  /** A line that stays. */
  line(text: string): void
  /** What the footer says from now on. */
  update(state: ProgressState): void
  /** Takes the footer away. */
  end(): void
}

const CLEAR_LINE = '\r\u001B[2K'

/** Lines above a footer that is redrawn every second; only the lines where there is no terminal. */
export function startProgress(output: Output, now: () => number): Progress {
  if (output.isTTY !== true) {
    return { line: (text) => void output.write(`${text}\n`), update: () => undefined, end: () => undefined }
  }
  const started = now()
  let state: ProgressState | undefined
  const footer = (): string => {
    // One column stays free: a full line makes some terminals go to the next one.
    const room = Math.max(1, (output.columns ?? 80) - 1)
    return state === undefined ? '' : fitText(progressText(state, now() - started), room)
  }
  const draw = (above = ''): void => void output.write(`${CLEAR_LINE}${above}${footer()}`)
  const timer = setInterval(draw, 1000)
  timer.unref()
  return {
    line: (text) => draw(`${text}\n`),
    update: (next) => {
      state = next
      draw()
    },
    end: () => {
      clearInterval(timer)
      state = undefined
      draw()
    },
  }
}
