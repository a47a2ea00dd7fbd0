/**
 * The globs of `directory.include` and `exclude` as Argo CD reads them (`util/glob`, gobwas/glob without separators):
 * `*` and `**` match across slashes, `?` any character, `[a-z]`, `[!a]`, `{a,b}`, and `\` takes the next one literally.
 * A glob comes from the repository, so it is run as an automaton, in time that grows with the text and no faster.
 * @returns undefined where the glob is malformed
 */
export function compileGlob(glob: string): ((text: string) => boolean) | undefined {
  if (glob.length > maxLength) return undefined
  const program = new Compiler(Array.from(glob)).compile()
  return program === undefined ? undefined : (text) => matches(program, text)
}

const maxLength = 4096

/** One step of the automaton: take a character, or go on at two places at once. */
type Step =
  | { readonly kind: 'take'; readonly accepts: (character: string) => boolean }
  | { readonly kind: 'fork'; readonly to: readonly number[] }

class Compiler {
  private readonly glob: readonly string[]
  private readonly steps: Step[] = []
  private at = 0

  constructor(glob: readonly string[]) {
    this.glob = glob
  }

  compile(): readonly Step[] | undefined {
    return this.sequence(0) && this.at === this.glob.length ? this.steps : undefined
  }

  /** Up to the end, or in braces up to what ends an alternative. */
  private sequence(depth: number): boolean {
    for (; this.at < this.glob.length; this.at += 1) {
      const character = this.glob[this.at] ?? ''
      if (depth > 0 && (character === ',' || character === '}')) return true
      if (!this.one(character, depth)) return false
    }
    return depth === 0
  }

  private one(character: string, depth: number): boolean {
    switch (character) {
      case '*':
        // Either past the star, or a character and back.
        this.steps.push({ kind: 'fork', to: [this.steps.length + 1, this.steps.length + 3] })
        this.take(() => true)
        this.steps.push({ kind: 'fork', to: [this.steps.length - 2] })
        return true
      case '?':
        this.take(() => true)
        return true
      case '[':
        return this.set()
      case '{':
        return this.alternatives(depth + 1)
      case '}':
      case ']':
        return false
      case '\\': {
        this.at += 1
        const next = this.glob[this.at]
        if (next !== undefined) this.take((each) => each === next)
        return next !== undefined
      }
      default:
        this.take((each) => each === character)
        return true
    }
  }

  private take(accepts: (character: string) => boolean): void {
    this.steps.push({ kind: 'take', accepts })
  }

  private set(): boolean {
    const end = this.glob.indexOf(']', this.at + 2)
    if (end < 0) return false
    const negated = this.glob[this.at + 1] === '!'
    const members = this.glob.slice(this.at + (negated ? 2 : 1), end)
    const [low = '', dash, high = ''] = members
    const isRange = members.length === 3 && dash === '-'
    this.take((each) => (isRange ? each >= low && each <= high : members.includes(each)) !== negated)
    this.at = end
    return members.length > 0
  }

  private alternatives(depth: number): boolean {
    const fork = this.steps.length
    const starts: number[] = []
    const ends: number[] = []
    this.steps.push({ kind: 'fork', to: [] })
    do {
      this.at += 1
      starts.push(this.steps.length)
      if (!this.sequence(depth)) return false
      ends.push(this.steps.length)
      this.steps.push({ kind: 'fork', to: [] })
    } while (this.glob[this.at] === ',')
    this.steps[fork] = { kind: 'fork', to: starts }
    for (const end of ends) this.steps[end] = { kind: 'fork', to: [this.steps.length] }
    return true
  }
}

function matches(program: readonly Step[], text: string): boolean {
  let states = reach(program, [0])
  for (const character of text) {
    const next: number[] = []
    for (const state of states) {
      const step = program[state]
      if (step?.kind === 'take' && step.accepts(character)) next.push(state + 1)
    }
    if (next.length === 0) return false
    states = reach(program, next)
  }
  return states.has(program.length)
}

/** All states that follow without taking a character. */
function reach(program: readonly Step[], from: readonly number[]): ReadonlySet<number> {
  const seen = new Set<number>()
  const waiting = [...from]
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    if (seen.has(state)) continue
    seen.add(state)
    const step = program[state]
    if (step?.kind === 'fork') waiting.push(...step.to)
  }
  return seen
}
