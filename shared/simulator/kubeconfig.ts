/** A kubeconfig with one context, `embedded`, as YAML. */
export function adminKubeconfig({
  url,
  caPem,
  token,
}: {
  readonly url: string
  readonly caPem: string
  readonly token: string
}): string {
  const name = 'embedded'
  return [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    `- name: ${name}`,
    '  cluster:',
    `    server: ${url}`,
    `    certificate-authority-data: ${Buffer.from(caPem).toString('base64')}`,
    'users:',
    `- name: ${name}`,
    '  user:',
    `    token: ${JSON.stringify(token)}`,
    'contexts:',
    `- name: ${name}`,
    '  context:',
    `    cluster: ${name}`,
    `    user: ${name}`,
    `current-context: ${name}`,
    '',
  ].join('\n')
}
