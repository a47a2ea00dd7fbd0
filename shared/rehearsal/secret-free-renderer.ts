import type { Manifest } from '../model/manifest.ts'
import type { Rendered, RendererPort } from '../model/ports.ts'
import type { Placeholders } from './placeholders.ts'

/** The same manifests, with placeholders in their Secrets; unchanged ones stay the same values, so that memories hold. */
export function withoutSecrets(renderer: RendererPort, placeholders: Placeholders): RendererPort {
  const lists = new WeakMap<readonly Manifest[], readonly Manifest[]>()
  const originals = new WeakMap<Manifest, Manifest>()
  const bare = (manifest: Manifest): Manifest => {
    const object = placeholders.of(manifest.object)
    if (object === manifest.object) return manifest
    const copy = { ...manifest, object }
    originals.set(copy, manifest)
    return copy
  }
  return {
    async render(request, options): Promise<Rendered> {
      const rendered = await renderer.render(request, options)
      const known = lists.get(rendered.manifests) ?? rendered.manifests.map(bare)
      lists.set(rendered.manifests, known)
      return { ...rendered, manifests: known }
    },
    locate: (manifest, path) => renderer.locate(originals.get(manifest) ?? manifest, path),
  }
}
