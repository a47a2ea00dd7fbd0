import type { ResourceId } from '../../shared/model/kubernetes.ts'
import { CliError } from '../cli-error.ts'

type Wanted = {
  readonly group: string | undefined
  readonly kind: string
  readonly namespace: string | undefined
  readonly name: string
}

/** Reads argocd's `[GROUP:]KIND:[NAMESPACE/]NAME`; `*` stands for anything. @throws CliError */
export function resourceFilter(texts: readonly string[]): (id: ResourceId) => boolean {
  const wanted = texts.map(parse)
  return (id) =>
    wanted.some(
      ({ group, kind, namespace, name }) =>
        (group === undefined || fits(group, id.group)) &&
        fits(kind, id.kind) &&
        (namespace === undefined || fits(namespace, id.namespace)) &&
        fits(name, id.name),
    )
}

function parse(text: string): Wanted {
  const parts = text.split(':')
  const [group, kind, rest] = parts.length === 3 ? parts : [undefined, ...parts]
  if (kind === undefined || rest === undefined || kind === '' || rest === '' || parts.length > 3) {
    throw new CliError('usage', `--resource takes [GROUP:]KIND:[NAMESPACE/]NAME, not ${text}`)
  }
  const slash = rest.indexOf('/')
  return slash < 0
    ? { group, kind, namespace: undefined, name: rest }
    : { group, kind, namespace: rest.slice(0, slash), name: rest.slice(slash + 1) }
}

function fits(pattern: string, text: string): boolean {
  return pattern === '*' || pattern === text
}
