import type { CustomHealth } from '../core/pass-context.ts'
import { canonicalJson, isObject } from '../model/json.ts'
import type { Cancellable, ClusterPort } from '../model/ports.ts'
import { SettingsHealth } from './settings-health.ts'

type Settings = Readonly<Record<string, string>>

const ARGOCD_CM = { group: '', kind: 'ConfigMap', namespace: 'argocd', name: 'argocd-cm' }
/** Settings change by hand, and rarely. */
const AGE_MS = 60_000
const NONE: Settings = {}

/** What Argo CD is told on one cluster, for a workspace that has no `argocd-cm` of its own. */
export class ClusterSettings {
  readonly #cluster: Pick<ClusterPort, 'read'>
  readonly #health = new SettingsHealth()
  #known: { readonly at: number; readonly reading: Promise<Settings> } | undefined
  #last: Settings = NONE

  constructor(cluster: Pick<ClusterPort, 'read'>) {
    this.#cluster = cluster
  }

  /** @param written what the workspace's files say; they win whole */
  async rulesFor(
    written: Settings,
    cancel: Cancellable,
  ): Promise<{ readonly settings: Settings; readonly health: { readonly health?: CustomHealth } }> {
    const settings = Object.keys(written).length > 0 ? written : await this.#read(cancel)
    return { settings, health: await this.#health.rulesOf(settings) }
  }

  dispose(): void {
    this.#health.dispose()
  }

  async #read(cancel: Cancellable): Promise<Settings> {
    if (this.#known === undefined || Date.now() - this.#known.at > AGE_MS) {
      this.#known = { at: Date.now(), reading: this.#ask(cancel) }
    }
    return this.#known.reading
  }

  /** Where it is not there, or not for our eyes, nothing is customised. */
  async #ask(cancel: Cancellable): Promise<Settings> {
    try {
      const found = await this.#cluster.read({ group: '', version: 'v1', kind: 'ConfigMap' }, ARGOCD_CM, cancel)
      const data = found?.object['data']
      const texts = Object.entries(isObject(data) ? data : {}).filter(([, value]) => typeof value === 'string')
      const settings = Object.fromEntries(texts) as Settings
      // The same settings are the same value, so that an unchanged pass is seen to be one.
      if (canonicalJson(settings) !== canonicalJson(this.#last)) this.#last = settings
      return this.#last
    } catch {
      if (cancel.signal?.aborted === true) this.#known = undefined
      return this.#last
    }
  }
}
