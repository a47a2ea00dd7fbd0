import type { KustomizeSource } from '../../model/application.ts'
import { isArray, isObject } from '../../model/json.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import { RenderError } from '../errors.ts'
import { textAt } from '../text-at.ts'
import { setImages } from './images.ts'

type Draft = Record<string, Json | undefined>

/**
 * A kustomization with an application's options in it, as `kustomize edit` puts them in for Argo CD
 * (`util/kustomize/kustomize.go`, kustomize `commands/edit`).
 * @throws RenderError `bad-option`
 */
export function editKustomization(
  kustomization: JsonObject,
  options: KustomizeSource,
  substitute: (text: string) => string,
): JsonObject {
  const draft: Draft = { ...kustomization }
  if (filled(options.namePrefix)) draft['namePrefix'] = options.namePrefix
  if (filled(options.nameSuffix)) draft['nameSuffix'] = options.nameSuffix
  if (filled(options.namespace)) draft['namespace'] = options.namespace
  if ((options.images ?? []).length > 0)
    draft['images'] = setImages(draft['images'], (options.images ?? []).map(substitute))
  setReplicas(draft, options.replicas ?? [])
  addLabels(draft, options, substitute)
  addAnnotations(draft, options, substitute)
  append(draft, 'patches', options.patches ?? [])
  append(draft, 'components', options.components ?? [])
  return draft
}

/** Whether an application changes anything of its kustomization. */
export function hasEdits(options: KustomizeSource): boolean {
  return Object.keys(editKustomization({}, options, (text) => text)).length > 0
}

function filled(text: string | undefined): text is string {
  return text !== undefined && text !== ''
}

function append(draft: Draft, field: string, items: readonly Json[]): void {
  if (items.length > 0) draft[field] = [...listOf(draft[field]), ...items]
}

function setReplicas(draft: Draft, replicas: NonNullable<KustomizeSource['replicas']>): void {
  if (replicas.length === 0) return
  const set = replicas.map(({ name, count }) => ({ name, count: countOf(name, count) }))
  const names = new Set(set.map(({ name }) => name))
  const others = listOf(draft['replicas']).filter((each) => !names.has(textAt(each, ['name'])))
  draft['replicas'] = [...others, ...set]
}

function countOf(name: string, count: number | string): number {
  const number = Number(count)
  if (Number.isInteger(number) && number >= 0 && count !== '') return number
  throw new RenderError('bad-option', `kustomize.replicas: the count of ${name} must be a whole number, not "${count}"`)
}

function addLabels(draft: Draft, options: KustomizeSource, substitute: (text: string) => string): void {
  const labels = Object.entries(options.commonLabels ?? {}).map(([key, value]) => [key, substitute(value)] as const)
  if (labels.length === 0) return
  const force = options.forceCommonLabels === true
  if (options.labelWithoutSelector !== true) {
    if (options.labelIncludeTemplates === true) {
      throw new RenderError('bad-option', 'kustomize.labelIncludeTemplates works with labelWithoutSelector only')
    }
    draft['commonLabels'] = withEntries(draft['commonLabels'], labels, force, 'label')
    return
  }
  const includeTemplates = options.labelIncludeTemplates === true
  const lists = listOf(draft['labels'])
  const at = lists.findIndex(
    (each) =>
      isObject(each) && each['includeSelectors'] !== true && (each['includeTemplates'] === true) === includeTemplates,
  )
  const own = at < 0 ? { includeTemplates } : (lists[at] as JsonObject)
  const changed = { ...own, pairs: withEntries(own['pairs'], labels, force, 'label') }
  draft['labels'] = at < 0 ? [...lists, changed] : lists.with(at, changed)
}

function addAnnotations(draft: Draft, options: KustomizeSource, substitute: (text: string) => string): void {
  const entries = Object.entries(options.commonAnnotations ?? {})
  if (entries.length === 0) return
  const made =
    options.commonAnnotationsEnvsubst === true
      ? entries.map(([key, value]) => [key, substitute(value)] as const)
      : entries
  const force = options.forceCommonAnnotations === true
  draft['commonAnnotations'] = withEntries(draft['commonAnnotations'], made, force, 'annotation')
}

function withEntries(
  map: Json | undefined,
  entries: readonly (readonly [string, string])[],
  force: boolean,
  what: 'label' | 'annotation',
): JsonObject {
  const known: JsonObject = isObject(map) ? map : {}
  for (const [key] of entries) {
    if (force || !Object.hasOwn(known, key)) continue
    const field = what === 'label' ? 'forceCommonLabels' : 'forceCommonAnnotations'
    throw new RenderError(
      'bad-option',
      `the kustomization has the ${what} ${key} already; set kustomize.${field} to replace it`,
    )
  }
  return { ...known, ...Object.fromEntries(entries) }
}

export function listOf(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : []
}
