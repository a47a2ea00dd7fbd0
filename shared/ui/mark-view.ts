import { html, type TemplateResult } from 'lit-html'
import type { Mark } from '../view/marks.ts'
import { timeAgo } from '../view/time.ts'
import { icon } from './icons.ts'
import { toneOf } from './theme.ts'

/** A state: its picture in its colour, and its word. */
export function markView(mark: Mark, title = ''): TemplateResult {
  return html`<span class="mark ${toneOf(mark)}" title=${title}
    >${icon(mark.codicon)}<span class="word">${mark.word}</span></span
  >`
}

/** A state where there is room for its picture only; its word is for screen readers and on hover. */
export function markIcon(mark: Mark): TemplateResult {
  return html`<span class="mark ${toneOf(mark)}" title=${mark.word}
    >${icon(mark.codicon)}<span class="visually-hidden">${mark.word}</span></span
  >`
}

/** How long ago, with the exact time on hover. */
export function ago(time: string, now: number): TemplateResult {
  const date = new Date(time)
  const exact = Number.isNaN(date.getTime()) ? '' : date.toLocaleString()
  return html`<time datetime=${time} title=${exact}>${timeAgo(time, now)}</time>`
}
