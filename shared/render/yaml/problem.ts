import type { RenderReason } from '../errors.ts'

/** Something wrong at an offset of a text, before anyone knows which file and line that is. */
export class YamlProblem extends Error {
  readonly reason: RenderReason
  readonly offset: number
  /** Where the same thing was written first. */
  readonly earlier?: number

  constructor(reason: RenderReason, message: string, offset: number, earlier?: number) {
    super(message)
    this.name = 'YamlProblem'
    this.reason = reason
    this.offset = offset
    if (earlier !== undefined) this.earlier = earlier
  }
}

/** What js-yaml's parser found, said as what it expected. First match wins; anything else is passed on as it is. */
const expectations: readonly (readonly [RegExp, string])[] = [
  [/tab characters must not/, 'indentation must be spaces, but there is a tab'],
  [
    /bad indentation of a mapping entry/,
    'a key at the same indentation as its siblings, or deeper under a key without a value, was expected',
  ],
  [/bad indentation of a sequence entry/, 'a list item (`- `) at the same indentation as its siblings was expected'],
  [/deficient indentation/, 'more indentation was expected here; is a quote or a bracket above not closed?'],
  [/multiline key may not be/, '`key: value` on one line was expected; a `:` is missing, or a quote is not closed'],
  [/expected ':' after a mapping key/, 'a `:` was expected after this key'],
  [/whitespace character is expected after the key-value/, 'a space was expected after the `:`'],
  [/missed comma between flow/, 'a `,` or the closing bracket was expected'],
  [/expected the node content, but found/, 'a value was expected before the `,`'],
  [/within a flow collection/, 'the closing `]` or `}` was expected before the end'],
  [/within a single quoted scalar/, "the closing `'` was expected before the end"],
  [/within a double quoted scalar/, 'the closing `"` was expected before the end'],
  [/unknown escape sequence/, 'the `\\` starts no known escape; double it, or use single quotes'],
  [/hexadecimal character/, 'hexadecimal digits were expected after the escape'],
  [/valid JSON character|non-printable characters|null byte/, 'a control character stands where text was expected'],
  [
    /end of the stream or a document separator/,
    '`---` or the end was expected; is the indentation or a `:` missing above?',
  ],
  [/line break is expected/, 'a line break was expected after `|` or `>`'],
  [
    /undeclared tag handle|tag name|tag suffix|named tag handle|verbatim tag/,
    'this `!` starts no valid tag; quote the value if it is text',
  ],
  [/name of an alias node/, 'a name was expected after `*`; quote the value if it is text'],
  [/name of an anchor node/, 'a name was expected after `&`; quote the value if it is text'],
  [/alias node should not have/, 'an alias (`*name`) can have no tag or anchor'],
]

export function expectation(reason: string): string {
  return expectations.find(([pattern]) => pattern.test(reason))?.[1] ?? reason
}
