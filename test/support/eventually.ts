const LONGEST_MS = 40_000

/** Waits until something holds. @throws Error naming it when it never does */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + LONGEST_MS
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited too long for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
