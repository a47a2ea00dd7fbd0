/** A semantic version (semver.org 2.0.0), parts that a tag leaves out read as 0. */
interface Version {
  readonly numbers: readonly [number, number, number]
  readonly pre: readonly string[]
}

type Test = (version: Version) => boolean

const versionText = String.raw`v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?`
const comparator = new RegExp(String.raw`^(=|!=|>=|=>|<=|=<|>|<|~>|~|\^)?\s*${versionText}$`)
const maxLength = 256

/**
 * Picks the newest tag in a range, as Argo CD does for a `targetRevision` such as `1.2.*`, `>=1.0.0 <2.0.0` or `^1.2`
 * (its util/versions, whose ranges are Masterminds/semver's). A pre-release counts only where the range names one.
 * @returns undefined where the text is no range (a plain version is a tag's name) or no tag is in it
 */
export function newestTagInRange(text: string, tags: readonly string[]): string | undefined {
  const inRange = parseRange(text)
  if (inRange === undefined) return undefined
  let newest: { readonly tag: string; readonly version: Version } | undefined
  for (const tag of tags) {
    const version = parseVersion(tag)
    if (version === undefined || !inRange(version)) continue
    if (newest === undefined || compare(version, newest.version) > 0) newest = { tag, version }
  }
  return newest?.tag
}

/** @returns whether a text is a range, and not a version or any other name. */
export function isVersionRange(text: string): boolean {
  return parseRange(text) !== undefined
}

function parseRange(text: string): Test | undefined {
  if (text.length > maxLength || parseVersion(text) !== undefined) return undefined
  const alternatives: Test[] = []
  for (const part of text.split('||')) {
    // `1.2 - 1.4` is both ends; an operator may stand apart from its version.
    const plain = part.replace(/(\S+)\s+-\s+(\S+)/g, '>=$1 <=$2').replace(/([=!<>~^])\s+/g, '$1')
    const tests = plain
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(parseComparator)
    if (tests.length === 0 || tests.includes(undefined)) return undefined
    alternatives.push((version) => tests.every((test) => test?.(version) === true))
  }
  return (version) => alternatives.some((test) => test(version))
}

function parseComparator(text: string): Test | undefined {
  const match = comparator.exec(text)
  if (match === null) return undefined
  const [, operator = '=', major, minor, patch, pre] = match
  const given = [major, minor, patch].map((part) =>
    part === undefined || /[xX*]/.test(part) ? undefined : Number(part),
  )
  // After the first wildcard the rest is open, whatever it says.
  const known = given.slice(0, given.includes(undefined) ? given.indexOf(undefined) : 3) as readonly number[]
  const floor = versionOf(known, pre)
  const test = testFor(operator, floor, known)
  return (version) => (version.pre.length === 0 || floor.pre.length > 0) && test(version)
}

function testFor(operator: string, floor: Version, known: readonly number[]): Test {
  const full = known.length === 3
  const end = following(known, known.length)
  switch (operator) {
    case '>':
      return full
        ? (version) => compare(version, floor) > 0
        : (version) => end !== undefined && compare(version, end) >= 0
    case '>=':
    case '=>':
      return (version) => compare(version, floor) >= 0
    case '<':
      return (version) => compare(version, floor) < 0
    case '<=':
    case '=<':
      return full ? (version) => compare(version, floor) <= 0 : (version) => isBelow(version, end)
    case '!=':
      return (version) => !isWithin(version, floor, full, end)
    case '~':
    case '~>':
      return between(floor, following(known, Math.min(known.length, 2)))
    case '^':
      return between(floor, following(known, caretLength(known)))
    default:
      return (version) => isWithin(version, floor, full, end)
  }
}

/** `^` holds the first part that is not 0, or the last that is written. */
function caretLength(known: readonly number[]): number {
  const first = known.findIndex((part) => part > 0)
  return first === -1 ? known.length : first + 1
}

function isWithin(version: Version, floor: Version, full: boolean, end: Version | undefined): boolean {
  return full ? compare(version, floor) === 0 : between(floor, end)(version)
}

function between(floor: Version, end: Version | undefined): Test {
  return (version) => compare(version, floor) >= 0 && isBelow(version, end)
}

function isBelow(version: Version, end: Version | undefined): boolean {
  return end === undefined || compareNumbers(version, end) < 0
}

/** The first version that does not begin with the given parts; undefined for none given. */
function following(known: readonly number[], length: number): Version | undefined {
  if (length === 0) return undefined
  const parts = known.slice(0, length)
  parts[length - 1] = (parts[length - 1] ?? 0) + 1
  return versionOf(parts, undefined)
}

function versionOf(parts: readonly number[], pre: string | undefined): Version {
  const [major = 0, minor = 0, patch = 0] = parts
  return { numbers: [major, minor, patch], pre: pre === undefined ? [] : pre.split('.') }
}

function parseVersion(text: string): Version | undefined {
  const match = text.length > maxLength ? null : new RegExp(`^${versionText}$`).exec(text)
  if (match === null) return undefined
  const parts = [match[1], match[2], match[3]].filter((part) => part !== undefined)
  return parts.every((part) => /^\d+$/.test(part)) ? versionOf(parts.map(Number), match[4]) : undefined
}

function compare(a: Version, b: Version): number {
  return compareNumbers(a, b) || comparePre(a.pre, b.pre)
}

function compareNumbers(a: Version, b: Version): number {
  return a.numbers[0] - b.numbers[0] || a.numbers[1] - b.numbers[1] || a.numbers[2] - b.numbers[2]
}

/** Semver, item 11: a release is above its pre-releases; numbers compare as numbers and stand below words. */
function comparePre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const left = a[index]
    const right = b[index]
    if (left === right) continue
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1
    const numbers = [/^\d+$/.test(left), /^\d+$/.test(right)] as const
    if (numbers[0] && numbers[1]) return Number(left) - Number(right)
    if (numbers[0] !== numbers[1]) return numbers[0] ? -1 : 1
    return left < right ? -1 : 1
  }
  return 0
}
