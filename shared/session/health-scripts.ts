import { createHash } from 'node:crypto'
import { globFits } from '../core/glob.ts'
import { isObject } from '../model/json.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import { parseApiVersion } from '../model/kubernetes.ts'
import { YamlReader } from '../render/yaml/read.ts'

/** One health script of `argocd-cm`. */
export type HealthScript = { readonly script: string; readonly openLibs: boolean }

/** The health scripts that an `argocd-cm` brings (Argo CD `docs/operator-manual/health.md`). */
export type HealthScripts = {
  /** Changes when the scripts do; empty without any. */
  readonly digest: string
  scriptFor(object: KubeObject): HealthScript | undefined
}

const HEALTH = 'resource.customizations.health.'
const OPEN_LIBS = 'resource.customizations.useOpenLibs.'
const WILDCARDS = 'resource.customizations'

export function healthScripts(settings: Readonly<Record<string, string>>): HealthScripts {
  const exact = new Map<string, HealthScript>()
  for (const [key, script] of Object.entries(settings)) {
    if (!key.startsWith(HEALTH)) continue
    const kind = key.slice(HEALTH.length)
    exact.set(kind, { script, openLibs: settings[`${OPEN_LIBS}${kind}`] === 'true' })
  }
  const globs = wildcards(settings[WILDCARDS])
  const all = JSON.stringify([[...exact], globs])
  return {
    digest: exact.size + globs.length === 0 ? '' : createHash('sha256').update(all).digest('hex'),
    scriptFor({ apiVersion, kind }) {
      const { group } = parseApiVersion(apiVersion)
      const named = exact.get(group === '' ? kind : `${group}_${kind}`)
      const path = group === '' ? kind : `${group}/${kind}`
      return named ?? globs.find(([glob]) => globFits(glob, path))?.[1]
    },
  }
}

/** `group/Kind` globs with `health.lua`, in one YAML text. What cannot be read customises nothing. */
function wildcards(text: string | undefined): readonly (readonly [glob: string, script: HealthScript])[] {
  if (text === undefined) return []
  try {
    const [first] = new YamlReader().read(text, WILDCARDS)
    const value = first?.value
    return Object.entries(isObject(value) ? value : {}).flatMap(([glob, entry]) => {
      const script = isObject(entry) ? entry['health.lua'] : undefined
      if (!isObject(entry) || typeof script !== 'string') return []
      return [[glob, { script, openLibs: entry['health.lua.useOpenLibs'] === true }] as const]
    })
  } catch {
    return []
  }
}
