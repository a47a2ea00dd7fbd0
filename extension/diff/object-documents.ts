import {
  CancellationTokenSource,
  EventEmitter,
  workspace,
  type CancellationToken,
  type Disposable,
  type TextDocumentContentProvider,
  type Uri,
} from 'vscode'
import { METHODS, type ObjectSides } from '../../shared/agent/contract.ts'
import type { Connection } from '../agent/connection.ts'
import type { Model } from '../model.ts'
import { signalOf } from '../signal.ts'
import { idOfKey } from './resource-key.ts'
import { objectRef, SCHEME } from './object-uri.ts'

/** The two sides of every object as read-only documents, with the values of Secrets masked by the agent. */
export class ObjectDocuments implements TextDocumentContentProvider, Disposable {
  readonly #model: Model
  readonly #connection: Connection
  readonly #changed = new EventEmitter<Uri>()
  readonly onDidChange = this.#changed.event
  /** Both sides are asked for at once, and by two documents. */
  readonly #asked = new Map<string, Promise<ObjectSides | undefined>>()
  readonly #subscriptions: readonly Disposable[]

  constructor(model: Model, connection: Connection) {
    this.#model = model
    this.#connection = connection
    this.#subscriptions = [
      workspace.registerTextDocumentContentProvider(SCHEME, this),
      model.onChange((change) => this.#expire(change.kind === 'application' ? change.name : undefined)),
    ]
  }

  async provideTextDocumentContent(
    uri: Uri,
    token: CancellationToken = new CancellationTokenSource().token,
  ): Promise<string> {
    const ref = objectRef(uri)
    if (ref === undefined || this.#model.session === undefined) return ''
    const { application, key, side, version = '' } = ref
    const { session } = this.#model.session
    if (side === 'object') {
      return this.#connection.ask(METHODS.live, { session, application, id: idOfKey(key), version }, signalOf(token))
    }
    const name = `${application}\n${key}`
    const asked = this.#asked.get(name) ?? this.#ask(session, application, key)
    this.#asked.set(name, asked)
    const sides = await asked
    return side === 'live' ? (sides?.live ?? '') : (sides?.desired ?? '')
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
    this.#changed.dispose()
  }

  async #ask(session: string, application: string, key: string): Promise<ObjectSides | undefined> {
    const sides = await this.#connection.ask(METHODS.sides, { session, application, keys: [key] })
    return sides[0]
  }

  #expire(application: string | undefined): void {
    if (application === undefined) this.#asked.clear()
    else for (const name of this.#asked.keys()) if (name.startsWith(`${application}\n`)) this.#asked.delete(name)
    for (const { uri } of workspace.textDocuments) {
      if (uri.scheme !== SCHEME) continue
      const ref = objectRef(uri)
      if (ref !== undefined && (application === undefined || ref.application === application)) this.#changed.fire(uri)
    }
  }
}
