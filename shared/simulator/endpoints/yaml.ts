import { CORE_SCHEMA, YAMLException, boolYaml11Tag, defineScalarTag, intCoreTag, load, mergeTag } from 'js-yaml'
import { StatusError, badRequest } from '../errors.ts'
import { goSyntaxError } from './go-json.ts'

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

/** A document of more aliases than this is refused before it is expanded. */
const maximumAliases = 100

/**
 * Reads a YAML or JSON body.
 *
 * @throws StatusError 400
 */
export function parseYaml(text: string): unknown {
  try {
    if (text.trimStart().startsWith('{')) return JSON.parse(text)
    return text.trim() === '' ? null : load(text, { schema, maxAliases: maximumAliases })
  } catch (error) {
    if (StatusError.is(error)) throw error
    const reason = error instanceof YAMLException ? `yaml: ${error.reason}` : goSyntaxError(text)
    throw badRequest(`error decoding YAML: ${reason ?? 'invalid YAML'}`)
  }
}
