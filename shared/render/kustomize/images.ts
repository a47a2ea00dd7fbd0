import { isArray, isObject } from '../../model/json.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import { RenderError } from '../errors.ts'
import { textAt } from '../text-at.ts'

type Image = { readonly name: string; readonly newName?: string; readonly newTag?: string; readonly digest?: string }

/** Keeps what the kustomization has. */
const keep = '*'

/**
 * The kustomization's images after `kustomize edit set image` with these arguments: `name=newName:tag@digest` and its
 * shorter forms; an argument replaces the entry of its name.
 * @throws RenderError `bad-option`
 */
export function setImages(images: Json | undefined, args: readonly string[]): readonly JsonObject[] {
  const known = (isArray(images) ? images : []).filter(isObject)
  const set = new Map(args.map(parseImage).map((image) => [image.name, image]))
  const merged = new Map<string, JsonObject>()
  for (const image of known) {
    const name = textAt(image, ['name'])
    const asked = set.get(name)
    merged.set(name, asked === undefined ? image : { ...entry(asked, image) })
  }
  for (const [name, image] of set) if (!merged.has(name)) merged.set(name, entry(image, {}))
  return [...merged.values()]
}

function entry({ name, newName, newTag, digest }: Image, old: JsonObject): JsonObject {
  const pick = (field: string, value: string | undefined): JsonObject => {
    const chosen = value === keep ? old[field] : value
    return chosen === undefined ? {} : { [field]: chosen }
  }
  return { name, ...pick('newName', newName), ...pick('newTag', newTag), ...pick('digest', digest) }
}

function parseImage(argument: string): Image {
  const equals = argument.indexOf('=')
  const { name, tag, digest } = splitImage(argument.slice(equals + 1))
  if (equals === 0 || name === '' || (equals < 0 && name === argument)) {
    throw new RenderError(
      'bad-option',
      `kustomize.images: "${argument}" is not of the form name=newName:tag@digest, name:tag or name@digest`,
    )
  }
  const versions = { ...(tag === '' ? {} : { newTag: tag }), ...(digest === '' ? {} : { digest }) }
  return equals < 0 ? { name, ...versions } : { name: argument.slice(0, equals), newName: name, ...versions }
}

/** A colon before the last slash is a registry's port (kustomize `util.SplitImageName`). */
export function splitImage(text: string): { readonly name: string; readonly tag: string; readonly digest: string } {
  const at = text.indexOf('@')
  const digest = at < 0 ? '' : text.slice(at + 1)
  const named = at < 0 ? text : text.slice(0, at)
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1)
  return colon < 0
    ? { name: named, tag: '', digest }
    : { name: named.slice(0, colon), tag: named.slice(colon + 1), digest }
}
