import type { Json } from '../../model/json.ts'
import type { Place, Position } from '../../model/manifest.ts'
import type { Cancellable, Checkout } from '../../model/ports.ts'
import { below } from '../source-path.ts'
import { textAt } from '../text-at.ts'
import { documentOf, nameOf, originAt, originOf } from '../traced-origin.ts'
import type { TracedOrigin } from '../traced-origin.ts'
import { decodeText } from '../yaml/decode.ts'
import type { YamlReader } from '../yaml/read.ts'
import type { Chart } from './dependencies.ts'

/** Finds, for objects that helm wrote, the templates that they were made from. */
export class TemplateTracer {
  private readonly templates = new Map<string, Promise<string | undefined>>()
  private readonly folder: string
  private readonly chart: Chart
  private readonly checkout: Checkout
  private readonly reader: YamlReader

  constructor(
    folder: string,
    chart: Chart,
    { checkout, reader }: { readonly checkout: Checkout; readonly reader: YamlReader },
  ) {
    this.folder = folder
    this.chart = chart
    this.checkout = checkout
    this.reader = reader
  }

  /** @param source what helm's `# Source:` comment says, `chart/templates/file.yaml` */
  async trace(source: string | undefined, object: Json, options: Cancellable): Promise<TracedOrigin> {
    const file = source === undefined ? undefined : this.ownFile(source)
    const text = file === undefined ? undefined : await this.read(file, options)
    if (file === undefined || text === undefined) {
      // A template of a packed subchart has no text of its own in the repository.
      return originAt(below(this.folder, 'Chart.yaml'), 0, { line: 1, column: 1 })
    }
    // Definitions are no templates: helm hands on their text as it is.
    const document = /(?:^|\/)crds\//.test(file) ? documentOf(this.reader.read(text, file), object) : undefined
    if (document !== undefined) return originOf(file, document)
    const part = documentIn(text, object)
    return originAt(file, part.document, part.start)
  }

  private ownFile(source: string): string | undefined {
    const file = fileOf(source, this.folder)
    const local = this.chart.local.find(({ target }) => file?.startsWith(`${target}/`) === true)
    return local === undefined ? file : below(local.folder, file?.slice(local.target.length + 1) ?? '')
  }

  private read(file: string, options: Cancellable): Promise<string | undefined> {
    const known = this.templates.get(file)
    if (known !== undefined) return known
    const reading = this.checkout.read(file, options).then(
      (bytes) => decodeText(bytes, file),
      () => undefined,
    )
    this.templates.set(file, reading)
    return reading
  }
}

/** The first part of helm's path is the chart's name, whatever its folder is called. */
function fileOf(source: string, folder: string): string | undefined {
  const slash = source.indexOf('/')
  const rest = source.slice(slash + 1)
  return slash < 0 || rest.split('/').includes('..') ? undefined : below(folder, rest)
}

/** helm's own message names the template and line that failed. */
export function placeInMessage(message: string, folder: string): Place | undefined {
  const match = /([\w.-]+\/(?:[\w./-]+\/)?templates\/[\w./-]+):(\d+)(?::(\d+))?/.exec(message)
  const file = match?.[1] === undefined ? undefined : fileOf(match[1], folder)
  return file === undefined ? undefined : { file, line: Number(match?.[2]), column: Number(match?.[3] ?? 0) + 1 }
}

/** The part of a template that makes an object, as far as its plain text tells: by kind, then by name. */
function documentIn(text: string, object: Json): { readonly document: number; readonly start: Position } {
  const kind = textAt(object, ['kind'])
  const name = nameOf(object)
  const parts = partsOf(text)
  const ofKind = parts.filter((part) => part.kind === kind)
  const named = ofKind.find((part) => part.name !== '' && name.endsWith(part.name))
  const part = named ?? ofKind[0] ?? parts[0]
  return part === undefined
    ? { document: 0, start: { line: 1, column: 1 } }
    : { document: part.index, start: { line: part.line, column: 1 } }
}

type Part = { readonly index: number; readonly line: number; readonly kind: string; readonly name: string }

function partsOf(text: string): readonly Part[] {
  const parts: Part[] = []
  let line = 1
  for (const part of text.split(/^---.*$/m)) {
    const lines = part.split('\n')
    const first = lines.findIndex((each) => /^[A-Za-z]/.test(each))
    if (first >= 0) {
      const kind = /^kind:\s*["']?(\w+)/m.exec(part)?.[1] ?? ''
      // What stands after the last action of the name: `{{ .Release.Name }}-web`.
      const name = /^ {2}name:\s*(?:.*\}\})?["']?([\w.-]*)/m.exec(part)?.[1] ?? ''
      parts.push({ index: parts.length, line: line + first, kind, name })
    }
    line += lines.length - 1
  }
  return parts
}
