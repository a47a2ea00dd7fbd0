import type { ApplicationSource } from '../model/application.ts'
import type { Cancellable, Checkout } from '../model/ports.ts'
import type { Rendered } from '../model/ports.ts'
import { RenderError } from './errors.ts'
import { below } from './source-path.ts'

export type SourceType = Rendered['type']

/** The names under which kustomize looks for its file. */
export const kustomizationNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'] as const

/**
 * Which tool a source is for: what the source says, else what its folder holds. A kustomization beats a chart in the
 * same folder, since Argo CD's walk meets it last (`util/app/discovery`).
 * @throws RenderError `bad-option` where a source says two things
 */
export async function detectType(
  source: ApplicationSource,
  checkout: Checkout,
  path: string,
  options: Cancellable,
): Promise<SourceType> {
  const said = explicitType(source)
  if (said !== undefined) return said
  const present = async (name: string): Promise<boolean> =>
    (await checkout.treeId(below(path, name), options)) !== undefined
  const kustomizations = await Promise.all(kustomizationNames.map(present))
  if (kustomizations.some(Boolean)) return 'Kustomize'
  return (await present('Chart.yaml')) ? 'Helm' : 'Directory'
}

function explicitType({ directory, kustomize, helm }: ApplicationSource): SourceType | undefined {
  const said: SourceType[] = []
  if (helm !== undefined) said.push('Helm')
  if (kustomize !== undefined) said.push('Kustomize')
  if (directory !== undefined) said.push('Directory')
  if (said.length > 1) {
    throw new RenderError('bad-option', `a source can be of one type, this one has fields of ${said.join(' and ')}`)
  }
  return said[0]
}
