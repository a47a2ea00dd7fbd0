import type { RenderRequest } from '../model/ports.ts'

/** Argo CD's build environment (`docs/user-guide/build-environment.md`), by name. */
function variables({ application, source, checkout }: RenderRequest): Readonly<Record<string, string>> {
  const { sha } = checkout.revision
  return {
    ARGOCD_APP_NAME: application.name,
    ARGOCD_APP_NAMESPACE: application.destination.namespace,
    ARGOCD_APP_PROJECT_NAME: application.project,
    ARGOCD_APP_REVISION: sha,
    ARGOCD_APP_REVISION_SHORT: sha.slice(0, 7),
    ARGOCD_APP_REVISION_SHORT_8: sha.slice(0, 8),
    ARGOCD_APP_SOURCE_PATH: source.path,
    ARGOCD_APP_SOURCE_REPO_URL: source.repoURL,
    ARGOCD_APP_SOURCE_TARGET_REVISION: source.targetRevision,
  }
}

const reference = /\$\$|\$\{([A-Z][A-Z0-9_]*)\}|\$([A-Z][A-Z0-9_]*)/g

/** Puts the build environment into a text; a name that it does not have becomes nothing, `$$` a dollar. */
export function substitute(text: string, request: RenderRequest): string {
  if (!text.includes('$')) return text
  const values = variables(request)
  return text.replaceAll(reference, (whole, braced?: string, bare?: string) =>
    whole === '$$' ? '$' : (values[braced ?? bare ?? ''] ?? ''),
  )
}

/** What of the build environment a source's options depend on, for the render's key. */
export function environmentKey(options: string, request: RenderRequest): string {
  return options.includes('$') ? JSON.stringify(variables(request)) : ''
}
