import type { Cancellable, RenderRequest } from '../model/ports.ts'
import { checkCombinedSize, renderDirectory, selectFiles } from './directory.ts'
import type { RenderParts, RenderPlan } from './plan.ts'

/** Plain files. Only those that the source selects are read, so a change of their neighbours renders nothing. */
export async function planDirectory(
  { source, checkout }: RenderRequest,
  path: string,
  parts: RenderParts,
  options: Cancellable,
): Promise<RenderPlan> {
  const directory = source.directory ?? {}
  const files = await selectFiles(checkout, path, directory, options)
  checkCombinedSize(files, path)
  return {
    reads: [{ kind: 'selection', checkout: '', path, directory }],
    run: (options) => renderDirectory({ checkout, files }, parts, options),
  }
}
