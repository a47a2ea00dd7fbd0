import {
  CORE_SCHEMA,
  DEFAULT_SCALAR_STYLE_RULES,
  SCALAR_STYLE_DOUBLE_QUOTED,
  SCALAR_STYLE_SINGLE_QUOTED,
  YAMLException,
  boolYaml11Tag,
  defineScalarTag,
  dump,
  intCoreTag,
  load,
  mergeTag,
} from 'js-yaml'
import type { DumpOptions } from 'js-yaml'
import { duplicateKeys } from './duplicate-keys.ts'
import { compareKeys, foldYaml } from './fold-yaml.ts'
import { readYaml, yamlProblem } from './read-yaml.ts'
import type { ReadYaml } from './read-yaml.ts'

/** Octal `0644`, binary `0b11` and `1_000`, which YAML 1.1 counts as integers beside those of 1.2. */
const integers = defineScalarTag<number>('tag:yaml.org,2002:int', {
  implicit: true,
  implicitFirstChars: ['+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
  identify: () => false,
  resolve(source, isExplicit, tagName) {
    const sign = source.startsWith('-') ? -1 : 1
    const digits = source.replace(/^[+-]/u, '').replaceAll('_', '')
    if (/^0b[01]+$/u.test(digits)) return sign * Number.parseInt(digits.slice(2), 2)
    if (/^0[0-7]+$/u.test(digits)) return sign * Number.parseInt(digits, 8)
    if (/^\d+$/u.test(digits)) return sign * Number(digits)
    return intCoreTag.resolve(source, isExplicit, tagName)
  },
})

/** YAML as sigs.k8s.io/yaml reads it: booleans and octals of YAML 1.1, dates and sexagesimals as text. */
const schema = CORE_SCHEMA.withTags(integers, boolYaml11Tag, mergeTag)

/** Text that cannot be read as YAML; the message is what sigs.k8s.io/yaml says of it. */
export class YamlError extends Error {
  static is(error: unknown): error is YamlError {
    return error instanceof YamlError
  }
}

/**
 * Reads a YAML or JSON body, which may be nested as deep as kube-apiserver bears it.
 *
 * @throws YamlError
 */
export function parseYaml(text: string): ReadYaml {
  if (nesting(text) > maximumDepth) throw new YamlError('yaml: exceeded max depth of 10000')
  const plain = text.trimStart().startsWith('{') ? jsonOf(text) : undefined
  if (plain !== undefined)
    return {
      value: plain,
      duplicates: duplicateKeys(text).length === 0 ? [] : readYaml(text, schema, maximumDepth).duplicates,
    }
  try {
    if (text.trim() === '' && text.includes('\t'))
      throw new YamlError('yaml: found character that cannot start any token')
    // goyaml takes a quoted text for the document and looks no further, unless it is a key.
    const quoted = /^\s*("(?:[^"\\\n]|\\.)*")(?!\s*:(?:\s|$))/u.exec(text)?.[1]
    if (quoted !== undefined) return readYaml(quoted, schema, maximumDepth)
    return readYaml(text, schema, maximumDepth)
  } catch (error) {
    if (error instanceof YAMLException) throw new YamlError(yamlProblem(error, text), { cause: error })
    throw error
  }
}

/** How deep brackets stand in each other, those in texts not counted. */
function nesting(text: string): number {
  let [depth, deepest, quoted] = [0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (quoted) {
      if (code === 0x5c) at++
      else if (code === 0x22) quoted = false
    } else if (code === 0x22) quoted = true
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x7d || code === 0x5d) depth--
  }
  return deepest
}

/** The quick way for what clients send most. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** goyaml bears 10,000, our stack less. */
const maximumDepth = 1_000

/** Whether plain text would be read back as something else than this text: a number, a boolean, a date. */
function means(text: string): boolean {
  if (text === '' || /^(?:\d{4}-\d\d?-\d\d?(?:[Tt\s].*)?|[-+]?[\d_]+(?::[0-5]?\d)+(?:\.[\d_]*)?)$/u.test(text))
    return true
  if (/^(?:y|n|yes|no|on|off|true|false|null|~|<<)$/iu.test(text)) return true
  try {
    return typeof load(text, { schema }) === 'number'
  } catch {
    return false
  }
}

const dumpOptions: DumpOptions = {
  noRefs: true,
  lineWidth: -1,
  sortKeys: compareKeys,
  seqNoIndent: true,
  scalarStyleRules: [
    ...Object.values(DEFAULT_SCALAR_STYLE_RULES),
    (layout) => {
      if (layout.style === SCALAR_STYLE_SINGLE_QUOTED && means(layout.node.value)) {
        layout.style = SCALAR_STYLE_DOUBLE_QUOTED
      }
    },
  ],
}

/** YAML as sigs.k8s.io/yaml writes it: keys in order, long texts broken, double quotes around what would else be no text. */
export function dumpYaml(value: object): string {
  return foldYaml(dump(value, dumpOptions))
}
