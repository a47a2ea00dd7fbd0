const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
const host =
  '(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?'
const reference = new RegExp(
  `^(?:(?:${host})/)?${component}(?:/${component})*(?::(?<tag>[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@(?<digest>[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?$`,
  'u',
)

/**
 * The pull policy that a container gets for its image: Always for `:latest` and for a name without tag and digest. A name that
 * does not parse counts as tagged (`ParseImageName` in `pkg/util/parsers`, `SetDefaults_Container`).
 */
export function defaultPullPolicy(image: string): 'Always' | 'IfNotPresent' {
  const match = reference.exec(image)
  const name = image.replace(/(?::[^/:]*)?(?:@.*)?$/u, '')
  if (!match || name.length > 255) return 'IfNotPresent'
  const tag = match.groups?.['tag'] ?? (match.groups?.['digest'] === undefined ? 'latest' : '')
  return tag === 'latest' ? 'Always' : 'IfNotPresent'
}
