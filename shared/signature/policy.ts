/** Which commits of a source must be signed. `range`: every commit since the last synced one. */
export type PolicyMode = 'none' | 'head' | 'strict' | 'range'

export type GpgRule = {
  readonly mode: PolicyMode
  /** Long key ids or fingerprints, of a primary key or of a subkey. */
  readonly keys: readonly string[]
  /** `signing` judges keys as they stood when they signed, gpg and Argo CD as they stand now. */
  readonly keysAt: 'now' | 'signing'
}

export type SshRule = {
  readonly mode: PolicyMode
  /** `SHA256:` fingerprints of keys, or of the authorities of certificates. */
  readonly keys: readonly string[]
  /** Patterns for the principal that `allowed_signers` gave; `*` takes whoever it allows. */
  readonly principals: readonly string[]
  readonly securityKey: 'any' | 'touched' | 'verified'
}

/** One entry of `spec.sourceIntegrity.git.policies`. */
export type GitPolicy =
  | {
      readonly kind: 'policy'
      readonly repos: readonly string[]
      readonly gpg?: GpgRule
      readonly ssh?: SshRule
      /** For `range`: a commit that is trusted with all its ancestors where nothing was synced yet. */
      readonly since?: string
    }
  /** Cannot be read, so it lets nothing through. */
  | { readonly kind: 'broken'; readonly repos: readonly string[]; readonly message: string }

type Fields = { readonly [name: string]: unknown }

/**
 * The policies of an AppProject's `spec`, as Argo CD writes them (docs/user-guide/source-integrity-git-gpg.md), with `ssh`
 * and `range` added. `signatureKeys` alone means mode `head` for every repository. What cannot be understood becomes a
 * policy that refuses, never one that is left out.
 */
export function readPolicies(spec: unknown): readonly GitPolicy[] {
  const fields = asFields(spec) ?? {}
  const { sourceIntegrity, signatureKeys } = fields
  if (sourceIntegrity !== undefined && sourceIntegrity !== null) return readSourceIntegrity(sourceIntegrity)
  if (signatureKeys === undefined || signatureKeys === null) return []
  if (!Array.isArray(signatureKeys)) return [broken(['*'], 'signatureKeys is not a list')]
  if (signatureKeys.length === 0) return []
  const keys = signatureKeys.map((key) => asFields(key)?.['keyID'])
  if (!areTexts(keys)) return [broken(['*'], 'signatureKeys has an entry without keyID')]
  return [{ kind: 'policy', repos: ['*'], gpg: { mode: 'head', keys, keysAt: 'now' } }]
}

function readSourceIntegrity(value: unknown): readonly GitPolicy[] {
  const integrity = asFields(value)
  if (integrity === undefined) return [broken(['*'], 'sourceIntegrity is not an object')]
  const { git } = integrity
  if (git === undefined || git === null) return []
  const policies = asFields(git)?.['policies'] ?? []
  if (!Array.isArray(policies)) return [broken(['*'], 'sourceIntegrity.git.policies is not a list')]
  return policies.map(readPolicy)
}

/** Its first versions wrote a repository as a text, later ones as `{url}`. */
function readPolicy(value: unknown): GitPolicy {
  const fields = asFields(value) ?? {}
  const { repos, gpg, ssh, since } = fields
  const urls = Array.isArray(repos)
    ? repos.map((repo) => (typeof repo === 'string' ? repo : asFields(repo)?.['url']))
    : []
  if (!areTexts(urls) || urls.length === 0) return broken(['*'], 'a policy has no readable repos')
  if (since !== undefined && typeof since !== 'string') return broken(urls, 'since is not a commit')
  const gpgRule = gpg === undefined || gpg === null ? undefined : readGpg(gpg)
  const sshRule = ssh === undefined || ssh === null ? undefined : readSsh(ssh)
  if (typeof gpgRule === 'string') return broken(urls, gpgRule)
  if (typeof sshRule === 'string') return broken(urls, sshRule)
  if (gpgRule === undefined && sshRule === undefined) return broken(urls, 'a policy names neither gpg nor ssh')
  return {
    kind: 'policy',
    repos: urls,
    ...(gpgRule !== undefined && { gpg: gpgRule }),
    ...(sshRule !== undefined && { ssh: sshRule }),
    ...(since !== undefined && { since }),
  }
}

function readGpg(value: unknown): GpgRule | string {
  const { mode, keys = [], keysAt = 'now' } = asFields(value) ?? {}
  if (!isMode(mode)) return `unknown GPG mode ${quote(mode)} configured for GIT source integrity`
  if (!areTexts(keys)) return 'gpg.keys is not a list of key ids'
  if (keysAt !== 'now' && keysAt !== 'signing') return `unknown gpg.keysAt ${quote(keysAt)}`
  return { mode, keys, keysAt }
}

function readSsh(value: unknown): SshRule | string {
  const { mode, keys = [], principals = [], securityKey = 'any' } = asFields(value) ?? {}
  if (!isMode(mode)) return `unknown SSH mode ${quote(mode)} configured for GIT source integrity`
  if (!areTexts(keys)) return 'ssh.keys is not a list of fingerprints'
  if (!areTexts(principals)) return 'ssh.principals is not a list of patterns'
  if (securityKey !== 'any' && securityKey !== 'touched' && securityKey !== 'verified') {
    return `unknown ssh.securityKey ${quote(securityKey)}`
  }
  return { mode, keys, principals, securityKey }
}

const modes: readonly unknown[] = ['none', 'head', 'strict', 'range'] satisfies readonly PolicyMode[]

function isMode(value: unknown): value is PolicyMode {
  return modes.includes(value)
}

function areTexts(values: unknown): values is readonly string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string' && value !== '')
}

function asFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function quote(value: unknown): string {
  return JSON.stringify(value === undefined ? '' : value)
}

function broken(repos: readonly string[], message: string): GitPolicy {
  return { kind: 'broken', repos, message }
}
