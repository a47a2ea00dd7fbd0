import { render, type TemplateResult } from 'lit-html'
import { BASE } from './base-css.ts'

/** A style sheet that every element of a kind shares; no `<style>` is ever written, so that a strict CSP holds. */
export function sheet(css: string): CSSStyleSheet {
  const made = new CSSStyleSheet()
  made.replaceSync(css)
  return made
}

const base = sheet(BASE)

/** A custom element that draws its `props` and its own state, at most once per microtask. */
export abstract class View<P extends object> extends HTMLElement {
  readonly root: ShadowRoot
  #props: P | undefined
  #queued = false
  #connected: AbortController | undefined

  constructor(...sheets: readonly CSSStyleSheet[]) {
    super()
    this.root = this.attachShadow({ mode: 'open' })
    this.root.adoptedStyleSheets = [base, ...sheets]
  }

  get props(): P {
    if (this.#props === undefined) throw new Error(`${this.localName} was drawn before it was given anything`)
    return this.#props
  }

  set props(props: P) {
    const before = this.#props
    if (before !== undefined && isShallowSame(before, props)) return
    this.#props = props
    this.received(props, before)
    this.redraw()
  }

  /** Ends when the element leaves the page. */
  get lifetime(): AbortSignal {
    this.#connected ??= new AbortController()
    return this.#connected.signal
  }

  connectedCallback(): void {
    this.#connected ??= new AbortController()
    this.entered()
    this.redraw()
  }

  disconnectedCallback(): void {
    this.#connected?.abort()
    this.#connected = undefined
  }

  redraw(): void {
    if (this.#queued) return
    this.#queued = true
    queueMicrotask(() => {
      this.#queued = false
      if (this.#props === undefined || !this.isConnected) return
      render(this.draw(this.#props), this.root)
      this.drawn()
    })
  }

  protected abstract draw(props: P): TemplateResult

  /** Before the first drawing with new props. */
  protected received(_props: P, _before: P | undefined): void {}

  /** The element came into the page. */
  protected entered(): void {}

  /** The picture stands in the page. */
  protected drawn(): void {}
}

/** Registers an element once, however often the bundle is loaded. */
export function define(name: string, element: CustomElementConstructor): void {
  if (customElements.get(name) === undefined) customElements.define(name, element)
}

function isShallowSame(a: object, b: object): boolean {
  const one = a as Readonly<Record<string, unknown>>
  const other = b as Readonly<Record<string, unknown>>
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => Object.is(one[key], other[key]))
}
