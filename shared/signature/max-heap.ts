/** Gives back the value with the largest weight first; of equal weights the one that came first. */
export class MaxHeap<T> {
  private readonly items: { readonly weight: number; readonly serial: number; readonly value: T }[] = []
  private serial = 0

  push(weight: number, value: T): void {
    const item = { weight, serial: this.serial++, value }
    let at = this.items.push(item) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!this.isAbove(at, parent)) break
      this.swap(at, parent)
      at = parent
    }
  }

  pop(): { readonly weight: number; readonly value: T } | undefined {
    const [top] = this.items
    const last = this.items.pop()
    if (top === undefined || last === undefined) return undefined
    if (this.items.length > 0) {
      this.items[0] = last
      this.sink()
    }
    return top
  }

  private sink(): void {
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const larger = this.isAbove(left + 1, left) ? left + 1 : left
      if (!this.isAbove(larger, at)) return
      this.swap(at, larger)
      at = larger
    }
  }

  private isAbove(one: number, other: number): boolean {
    const [a, b] = [this.items[one], this.items[other]]
    if (a === undefined || b === undefined) return false
    return a.weight > b.weight || (a.weight === b.weight && a.serial < b.serial)
  }

  private swap(one: number, other: number): void {
    const [a, b] = [this.items[one], this.items[other]]
    if (a === undefined || b === undefined) return
    this.items[one] = b
    this.items[other] = a
  }
}
