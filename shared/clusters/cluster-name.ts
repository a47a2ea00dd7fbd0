import { ClustersError } from './clusters-error.ts'

/** kind and minikube make host names, container names and context names of it. */
const NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/

/** @throws ClustersError `name` */
export function checkName(name: string): void {
  if (NAME.test(name)) return
  const rule = 'a name has up to 40 small letters, digits and dashes, and begins and ends with a letter or a digit'
  throw new ClustersError('name', `"${name}" cannot be a cluster's name`, rule)
}

/** `1.36.2` and `v1.36.2` are one. @throws ClustersError `unsupported` for what is no version */
export function versionOf(text: string): string {
  const match = /^v?(\d+\.\d+(?:\.\d+)?(?:-[0-9a-z.]+)?)$/.exec(text.trim())
  if (match?.[1] !== undefined) return `v${match[1]}`
  throw new ClustersError('unsupported', `"${text}" is not a Kubernetes version`, 'write it as v1.36.2')
}
