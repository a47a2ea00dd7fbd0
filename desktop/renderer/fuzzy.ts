/** How well a text answers what was typed: higher is better, undefined where a letter is missing. */
export function fuzzyScore(text: string, typed: string): number | undefined {
  const lower = text.toLowerCase()
  let score = 0
  let at = -1
  for (const letter of typed.toLowerCase().replaceAll(' ', '')) {
    const next = lower.indexOf(letter, at + 1)
    if (next < 0) return undefined
    // Letters that follow each other, and those that begin a word, are what a person means.
    if (next === at + 1) score += 3
    else if (next === 0 || /[\s:/.-]/.test(lower[next - 1] ?? '')) score += 2
    else score -= Math.min(3, (next - at) / 10)
    at = next
  }
  return score - text.length / 200
}

/** The best answers first; all in their own order where nothing was typed. */
export function fuzzyFind<T>(
  all: readonly T[],
  typed: string,
  textOf: (item: T) => string,
  most: number,
): readonly T[] {
  if (typed.trim() === '') return all.slice(0, most)
  return all
    .flatMap((item) => {
      const score = fuzzyScore(textOf(item), typed)
      return score === undefined ? [] : [{ item, score }]
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ item }) => item)
}
