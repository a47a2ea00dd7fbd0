import { isArray, isObject, valueAt } from '../../model/json.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import type { Path } from '../../model/pointer.ts'
import { listOf } from './edit.ts'

/** Something that a kustomization names: where in its file, and what. */
export type Reference = {
  readonly at: Path
  readonly target: string
  /** A file, or a folder with a kustomization of its own. */
  readonly mayBeFolder: boolean
}

/** Fields that list resources: files, folders with a kustomization, or URLs. */
const resourceFields = ['resources', 'bases', 'components'] as const
/** Fields that list files, or folders of them, or hold the YAML itself. */
const pluginFields = ['generators', 'transformers', 'validators'] as const
const fileFields = ['crds', 'configurations', 'patchesStrategicMerge'] as const

/** Everything that a kustomization reads (kustomize `api/types/kustomization.go`). */
export function referencesOf(kustomization: JsonObject): readonly Reference[] {
  const found: Reference[] = []
  const add = (at: Path, target: Json | undefined, mayBeFolder: boolean): void => {
    if (typeof target === 'string' && target !== '' && !isInline(target)) found.push({ at, target, mayBeFolder })
  }
  for (const field of [...resourceFields, ...pluginFields]) {
    for (const [index, target] of listOf(kustomization[field]).entries()) add([field, index], target, true)
  }
  for (const field of fileFields) {
    for (const [index, target] of listOf(kustomization[field]).entries()) add([field, index], target, false)
  }
  for (const field of ['patches', 'patchesJson6902', 'replacements']) {
    for (const [index, item] of listOf(kustomization[field]).entries()) {
      if (isObject(item)) add([field, index, 'path'], item['path'], false)
    }
  }
  add(['openapi', 'path'], valueAt(kustomization, ['openapi', 'path']), false)
  for (const field of ['configMapGenerator', 'secretGenerator']) {
    for (const [index, item] of listOf(kustomization[field]).entries()) {
      if (isObject(item)) addGenerated([field, index], item, add)
    }
  }
  return found
}

/** Whether a kustomization runs configured generators or transformers, whose files may name files in turn. */
export function hasPlugins(kustomization: JsonObject): boolean {
  const fields = [...pluginFields, 'helmCharts', 'helmChartInflationGenerator']
  return fields.some((field) => isArray(kustomization[field]) && kustomization[field].length > 0)
}

function addGenerated(
  at: Path,
  generator: JsonObject,
  add: (at: Path, target: Json | undefined, mayBeFolder: boolean) => void,
): void {
  for (const [index, file] of listOf(generator['files']).entries()) {
    // `key=path`, where the key may be left out.
    add([...at, 'files', index], typeof file === 'string' ? file.slice(file.indexOf('=') + 1) : file, false)
  }
  for (const [index, file] of listOf(generator['envs']).entries()) add([...at, 'envs', index], file, false)
  add([...at, 'env'], generator['env'], false)
}

/** Patches and plugins may be written out in place of a path. */
function isInline(target: string): boolean {
  return target.includes('\n') || /^\s*[{[]/.test(target) || /^\s*[\w-]+:\s/.test(target)
}

/** What kustomize would fetch over the network when no such file is there (kustomize `api/internal/git/repospec.go`). */
export function looksRemote(target: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*:\/\//i.test(target) ||
    target.startsWith('git::') ||
    /^[\w.-]+@[\w.-]+[:/]/.test(target) ||
    /^(?:github\.com|gitlab\.com|bitbucket\.org)[/:]/i.test(target) ||
    /[?&](?:ref|version|timeout|submodules)=/.test(target) ||
    /\.git(?:\/|$)/.test(target) ||
    /^[\w-]+(?:\.[\w-]+)+\/.*\/\//.test(target)
  )
}
