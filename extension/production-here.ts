import { isProduction } from './production.ts'
import { settings } from './settings.ts'

/** Whether a context is production: by a pattern of the settings, or because the person has marked it in any front. */
export function isProductionHere(context: string, { marked }: { readonly marked: ReadonlySet<string> }): boolean {
  return marked.has(context) || isProduction(context, settings.productionContexts())
}
