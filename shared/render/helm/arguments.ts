import type { RenderRequest } from '../../model/ports.ts'
import { substitute } from '../environment.ts'

/** Files as they lie for helm: paths of values in order, and of file parameters by name. */
export type PlacedInputs = {
  readonly values: readonly string[]
  readonly files: readonly (readonly [string, string])[]
}

/**
 * The words of `helm template` for a source, as Argo CD gives them (`util/helm/cmd.go`). Every value is bound to its
 * flag by `=`, so that none can be taken for a flag.
 */
export function helmArguments(request: RenderRequest, chart: string, inputs: PlacedInputs): readonly string[] {
  const { application, source, kubeVersion, apiVersions } = request
  const helm = source.helm ?? {}
  const version = helm.kubeVersion ?? kubeVersion
  const namespace = helm.namespace ?? application.destination.namespace
  const words = ['template', chart === '' ? '.' : `./${chart}`]
  words.push(`--name-template=${helm.releaseName ?? application.name}`)
  if (namespace !== '') words.push(`--namespace=${namespace}`)
  if (version !== '') words.push(`--kube-version=${version}`)
  for (const { name, value, forceString } of helm.parameters ?? []) {
    words.push(`--set${forceString === true ? '-string' : ''}=${name}=${escapeCommas(substitute(value, request))}`)
  }
  for (const [parameter, file] of inputs.files) words.push(`--set-file=${parameter}=${file}`)
  for (const file of inputs.values) words.push(`--values=${file}`)
  for (const api of helm.apiVersions ?? apiVersions) words.push(`--api-versions=${api}`)
  if (helm.skipCrds !== true) words.push('--include-crds')
  if (helm.skipTests === true) words.push('--skip-tests')
  if (helm.skipSchemaValidation === true) words.push('--skip-schema-validation')
  return words
}

/** A comma separates parameters for helm, unless the value is a list in braces (Argo CD `cleanSetParameters`). */
function escapeCommas(value: string): string {
  if (value.startsWith('{') && value.endsWith('}')) return value
  return value.replaceAll(/(?<!\\),/g, String.raw`\,`)
}
