import type { Application, IgnoreDifference } from '../model/application.ts'
import { isArray, isObject, type Json } from '../model/json.ts'
import { YamlReader } from '../render/yaml/read.ts'

type Settings = Readonly<Record<string, string>>

const IGNORE = 'resource.customizations.ignoreDifferences.'

/**
 * The application with what an `argocd-cm` ignores for every application besides (Argo CD `docs/user-guide/diffing.md`,
 * system-level configuration): `<group>_<kind>`, `<kind>` of the core group, or `all`.
 */
export function withIgnoredBySettings(application: Application, settings: Settings): Application {
  const rules = rulesOf(settings)
  return rules.length === 0
    ? application
    : { ...application, ignoreDifferences: [...application.ignoreDifferences, ...rules] }
}

const known = new WeakMap<Settings, readonly IgnoreDifference[]>()

function rulesOf(settings: Settings): readonly IgnoreDifference[] {
  let rules = known.get(settings)
  if (rules === undefined) {
    rules = Object.entries(settings).flatMap(([key, text]) => (key.startsWith(IGNORE) ? ruleOf(key, text) : []))
    known.set(settings, rules)
  }
  return rules
}

/** What cannot be read ignores nothing. */
function ruleOf(key: string, text: string): readonly IgnoreDifference[] {
  const name = key.slice(IGNORE.length)
  const at = name.lastIndexOf('_')
  const kind =
    name === 'all' ? { group: '*', kind: '*' } : { group: name.slice(0, Math.max(0, at)), kind: name.slice(at + 1) }
  try {
    const [first] = new YamlReader().read(text, key)
    const value = first?.value
    if (!isObject(value)) return []
    return [
      {
        ...kind,
        jsonPointers: texts(value['jsonPointers']),
        jqPathExpressions: texts(value['jqPathExpressions']),
        managedFieldsManagers: texts(value['managedFieldsManagers']),
      },
    ]
  } catch {
    return []
  }
}

function texts(value: Json | undefined): readonly string[] {
  return isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
