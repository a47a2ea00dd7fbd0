import { isDeepStrictEqual } from 'node:util'
import { isMap, isScalar, isSeq, parseDocument, type Document, type Node, type YAMLMap, type YAMLSeq } from 'yaml'
import { ClustersError } from '../clusters-error.ts'
import { addItem, addKey, addList, removeItem, replaceScalar, scalarText, spliced, type Splice } from './splice-yaml.ts'

/** The named lists of a kubeconfig, each with the key that its entries' bodies stand under. */
export const LISTS = { contexts: 'context', clusters: 'cluster', users: 'user' } as const
export type ListName = keyof typeof LISTS

type Body = Readonly<Record<string, unknown>>
type Plain = Record<string, unknown>

/**
 * The text of one kubeconfig file, edited where the edit is and nowhere else: comments, order and style of the rest stay byte
 * for byte. Each edit is read back and compared with what it should mean; a text too odd for that is left alone.
 */
export class KubeconfigText {
  readonly file: string
  #text: string
  #document: Document

  /** @throws ClustersError `kubeconfig` for what is no kubeconfig */
  constructor(text: string, file: string) {
    this.file = file
    this.#text = text
    this.#document = parse(text, file)
  }

  get text(): string {
    return this.#text
  }

  get current(): string {
    const value = this.#data()['current-context']
    return typeof value === 'string' ? value : ''
  }

  names(list: ListName): readonly string[] {
    return this.#items(list).map(({ name }) => name)
  }

  body(list: ListName, name: string): Body | undefined {
    const found = this.#items(list).find((item) => item.name === name)
    return found?.body
  }

  setCurrent(name: string): void {
    this.#setTop('current-context', name)
  }

  rename(list: ListName, from: string, to: string): void {
    this.#edit(
      ({ map }) => replaceScalar(mapValue(map, 'name'), to),
      (entry) => ({ ...entry, name: to }),
      list,
      from,
    )
  }

  setNamespace(context: string, namespace: string): void {
    this.#edit(
      ({ map, text }) => {
        const body = mapValue(map, 'context')
        if (!isMap(body)) return { ...replaceScalar(body, ''), text: ` ${JSON.stringify({ namespace })}` }
        const known = body.get('namespace', true)
        return known === undefined
          ? addKey(text, body, 'namespace', namespace)
          : replaceScalar(known as Node, namespace)
      },
      (entry) => ({ ...entry, context: { ...(entry['context'] as Body | null), namespace } }),
      'contexts',
      context,
    )
  }

  remove(list: ListName, name: string): void {
    const found = this.#items(list).findIndex((item) => item.name === name)
    const node = this.#list(list)
    if (found < 0 || node === undefined) return
    const expected = this.#data()
    expected[list] = (expected[list] as unknown[]).filter((_, index) => index !== found)
    this.#take(removeItem(this.#text, node, found), expected)
  }

  /** Adds an entry at the end; one of that name makes way. */
  put(list: ListName, name: string, body: Body): void {
    if (this.#text.trim() === '') this.#text = 'apiVersion: v1\nkind: Config\n'
    this.#document = parse(this.#text, this.file)
    if (this.names(list).includes(name)) this.remove(list, name)
    const item = { [LISTS[list]]: body, name }
    const expected = this.#data()
    const known = expected[list]
    expected[list] = [...(Array.isArray(known) ? known : []), item]
    const node = this.#list(list)
    const { contents } = this.#document
    const inFlow = isMap(contents) && contents.flow === true
    if (node === undefined || (node.items.length === 0 && !inFlow))
      this.#take(addList(this.#text, this.#document, list, item), expected)
    else this.#take(addItem(this.#text, node, item), expected)
  }

  #setTop(key: string, value: string): void {
    const expected = { ...this.#data(), [key]: value }
    const { contents } = this.#document
    if (!isMap(contents)) {
      const end = this.#text.length
      const lead = this.#text === '' || this.#text.endsWith('\n') ? '' : '\n'
      return this.#take({ from: end, to: end, text: `${lead}${key}: ${scalarText(value)}\n` }, expected)
    }
    const known = contents.get(key, true) as Node | undefined
    this.#take(known === undefined ? addKey(this.#text, contents, key, value) : replaceScalar(known, value), expected)
  }

  #edit(
    spliceOf: (at: { readonly map: YAMLMap; readonly text: string }) => Splice,
    meaning: (entry: Body) => Body,
    list: ListName,
    name: string,
  ): void {
    const index = this.#items(list).findIndex((item) => item.name === name)
    const map = this.#list(list)?.items[index]
    if (!isMap(map)) return
    const expected = this.#data()
    expected[list] = (expected[list] as Body[]).map((entry, at) => (at === index ? meaning(entry) : entry))
    this.#take(spliceOf({ map, text: this.#text }), expected)
  }

  /** @throws ClustersError `kubeconfig` where the edited text would mean something else */
  #take(splice: Splice, expected: Plain): void {
    const text = spliced(this.#text, splice)
    const document = parse(text, this.file)
    if (!isDeepStrictEqual(document.toJS() ?? {}, expected)) {
      const message = `${this.file} is written in a way that cannot be edited without risk`
      throw new ClustersError('kubeconfig', message, 'edit it by hand, or with kubectl config')
    }
    this.#text = text
    this.#document = document
  }

  #items(list: ListName): readonly { readonly name: string; readonly body: Body }[] {
    const found = this.#data()[list]
    if (!Array.isArray(found)) return []
    return (found as (Body | null)[]).map((entry) => ({
      name: typeof entry?.['name'] === 'string' ? entry['name'] : '',
      body: (entry?.[LISTS[list]] ?? {}) as Body,
    }))
  }

  #list(list: ListName): YAMLSeq | undefined {
    const { contents } = this.#document
    const node = isMap(contents) ? contents.get(list, true) : undefined
    return isSeq(node) ? node : undefined
  }

  #data(): Plain {
    return (this.#document.toJS() ?? {}) as Plain
  }
}

function parse(text: string, file: string): Document {
  const document = parseDocument(text, { keepSourceTokens: true, uniqueKeys: true })
  const [problem] = document.errors
  // Only the first line: the rest quotes the file, which may hold a token.
  if (problem !== undefined) throw unreadable(file, problem.message.split('\n', 1)[0] ?? '')
  const { contents } = document
  if (contents !== null && !isMap(contents) && !(isScalar(contents) && contents.value === null)) {
    throw unreadable(file, 'it is not a mapping')
  }
  return document
}

function unreadable(file: string, why: string): ClustersError {
  return new ClustersError('kubeconfig', `the kubeconfig ${file} cannot be read: ${why}`, 'correct the file')
}

function mapValue(map: YAMLMap, key: string): Node {
  return map.get(key, true) as Node
}
