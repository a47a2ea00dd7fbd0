/**
 * What a scalar means to kubectl, which reads YAML through sigs.k8s.io/yaml: go-yaml v2's `resolve.go`, then JSON, then
 * the API machinery's JSON reader, which keeps integers only within 64 bits.
 */
export type Scalar = string | number | bigint | boolean | null

const words: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
])
const longestWord = 5

const specialFloat = /^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/
const dottedFloat = /^\.\d+(?:_\d+)*(?:[eE][-+]?\d+(?:_\d+)*)?$/
const plainFloat = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
const integer = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9]\d*)$/
const smallDecimal = /^-?[1-9]\d{0,14}$/

/** Digits beyond which no integer of 64 bits is written; reading more would only cost time. */
const longestInteger = 200

const smallest = -(2n ** 63n)
const largest = 2n ** 63n - 1n
const largestUnsigned = 2n ** 64n - 1n

/** A plain (unquoted, untagged) scalar. NaN and the infinities come back as such; JSON has no word for them. */
export function resolvePlain(text: string): Scalar {
  const first = text.charCodeAt(0)
  // Digits and signs.
  if ((first >= 48 && first <= 57) || first === 45 || first === 43) return resolveNumber(text)
  if (first === 46) return resolveDotted(text)
  if (text.length > longestWord) return text
  const word = words.get(text)
  return word === undefined ? text : word
}

function resolveDotted(text: string): Scalar {
  if (specialFloat.test(text)) return Number(text.toLowerCase().replace('.inf', 'Infinity').replace('.nan', 'NaN'))
  if (!dottedFloat.test(text)) return text
  return finite(text.replaceAll('_', ''), text)
}

function resolveNumber(text: string): Scalar {
  if (text === '0') return 0
  if (smallDecimal.test(text)) return Number(text)
  if (specialFloat.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  const plain = text.includes('_') ? text.replaceAll('_', '') : text
  const match = integer.exec(plain)
  if (match !== null) {
    const value = integerOf(match[1] ?? '', match[2] ?? '')
    if (value !== undefined) return value
  }
  return plainFloat.test(plain) ? finite(plain, text) : text
}

function integerOf(sign: string, digits: string): number | bigint | undefined {
  if (digits.length > longestInteger) return undefined
  const octal = /^0[0-7]+$/.test(digits)
  const magnitude = BigInt(octal ? `0o${digits.slice(1)}` : digits.toLowerCase())
  const value = sign === '-' ? -magnitude : magnitude
  if (value >= smallest && value <= largest) {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value
  }
  // An unsigned 64-bit integer is written as one, and read back as a float.
  return sign === '' && value <= largestUnsigned ? Number(value) : undefined
}

function finite(plain: string, text: string): Scalar {
  const value = Number(plain)
  if (!Number.isFinite(value)) return text
  // JSON's -0 is read back as the integer 0.
  return value === 0 ? 0 : value
}

/**
 * A mapping key, which JSON has as a string only; undefined where kubectl refuses the key.
 * @param text the scalar as it is written, since 1e6 and 1000000 are different keys
 */
export function keyText(key: Scalar, text: string): string | undefined {
  if (typeof key === 'string') return key
  if (key === null) return undefined
  if (typeof key === 'number' && !integer.test(text.replaceAll('_', ''))) return floatKey(key)
  return String(key)
}

/** Go's `FormatFloat(key, 'g', -1, 32)`: keys that are floats lose precision (sigs.k8s.io/yaml `convertToJSONableObject`). */
function floatKey(key: number): string {
  if (Number.isNaN(key)) return 'NaN'
  if (!Number.isFinite(key)) return key > 0 ? '.inf' : '-.inf'
  const single = Math.fround(key)
  let shortest = single
  for (let digits = 1; digits <= 9; digits += 1) {
    shortest = Number(single.toPrecision(digits))
    if (Math.fround(shortest) === single) break
  }
  const [mantissa = '0', exponent = '0'] = shortest.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(shortest)
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}
