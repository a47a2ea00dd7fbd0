import { valueAt } from '../../model/json.ts'
import type { JsonObject } from '../../model/json.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import type { Path } from '../../model/pointer.ts'
import { textAt } from '../text-at.ts'
import { nameOf } from '../traced-origin.ts'
import { listOf } from './edit.ts'
import { splitImage } from './images.ts'

/** Which field of a kustomization has set a field of an object: an image, a count, a label, the namespace. */
export function placeOfTransformer(content: JsonObject, object: KubeObject, path: Path): Path | undefined {
  const last = path.at(-1)
  const at = (...found: Path): Path | undefined => {
    return valueAt(content, found) === valueAt(object, path) && valueAt(object, path) !== undefined ? found : undefined
  }
  if (last === 'image') return placeOfImage(content, textAt(object, path))
  if (path.join('.') === 'spec.replicas') return placeOfCount(content, object)
  if (path.join('.') === 'metadata.namespace') return at('namespace')
  const parent = path.at(-2)
  if (parent === 'annotations') return at('commonAnnotations', String(last))
  if (parent !== 'labels' && parent !== 'matchLabels') return undefined
  return at('commonLabels', String(last)) ?? placeOfPair(content, String(last), textAt(object, path))
}

function placeOfImage(content: JsonObject, image: string): Path | undefined {
  const { name } = splitImage(image)
  const images = listOf(content['images'])
  const index = images.findIndex((each) => (textAt(each, ['newName']) || textAt(each, ['name'])) === name)
  const field = ['digest', 'newTag', 'newName'].find((each) => {
    const part = textAt(images[index], [each])
    return part !== '' && image.includes(part)
  })
  return index < 0 || field === undefined ? undefined : ['images', index, field]
}

function placeOfCount(content: JsonObject, object: KubeObject): Path | undefined {
  const name = nameOf(object)
  const index = listOf(content['replicas']).findIndex((each) => {
    const meant = textAt(each, ['name'])
    return meant !== '' && name.includes(meant) && valueAt(each, ['count']) === valueAt(object, ['spec', 'replicas'])
  })
  return index < 0 ? undefined : ['replicas', index, 'count']
}

function placeOfPair(content: JsonObject, key: string, value: string): Path | undefined {
  const index = listOf(content['labels']).findIndex((each) => valueAt(each, ['pairs', key]) === value)
  return index < 0 ? undefined : ['labels', index, 'pairs', key]
}
