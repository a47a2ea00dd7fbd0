import path from 'node:path'
import { load } from 'js-yaml'
import { isArray, isObject } from '../model/json.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { ClusterError } from './cluster-error.ts'
import type {
  AuthProvider,
  ExecPlugin,
  Impersonation,
  KubeCluster,
  KubeContext,
  Kubeconfig,
  KubeUser,
} from './kubeconfig.ts'

const execExtension = 'client.authentication.k8s.io/exec'

/**
 * Reads one kubeconfig file. Unknown fields are ignored and relative paths resolve against the file's folder, both as
 * client-go's clientcmd does it.
 * @throws ClusterError `config`
 */
export function parseKubeconfig(text: string, file: string): Kubeconfig {
  const root = new Fields(yamlRoot(text, file), file, '')
  const kind = root.text('kind')
  if (kind !== '' && kind !== 'Config') throw broken(file, `it is a ${kind}, not a Config`)
  return {
    currentContext: root.text('current-context'),
    clusters: root.named('clusters', 'cluster', readCluster),
    contexts: root.named('contexts', 'context', readContext),
    users: root.named('users', 'user', readUser),
  }
}

function yamlRoot(text: string, file: string): JsonObject {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = load(text)
  } catch (error) {
    // Only the first line: the rest quotes the file, which may hold a token.
    const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
    throw broken(file, reason, error)
  }
  if (value === null || value === undefined) return {}
  if (!isObject(value as Json)) throw broken(file, 'it is not a mapping')
  return value as JsonObject
}

function readContext(fields: Fields): KubeContext {
  return {
    file: fields.file,
    cluster: fields.text('cluster'),
    user: fields.text('user'),
    namespace: fields.text('namespace'),
  }
}

function readCluster(fields: Fields): KubeCluster {
  return {
    file: fields.file,
    server: fields.text('server').replace(/\/+$/, ''),
    caFile: fields.path('certificate-authority'),
    caData: fields.text('certificate-authority-data'),
    insecure: fields.flag('insecure-skip-tls-verify'),
    tlsServerName: fields.text('tls-server-name'),
    proxyUrl: fields.text('proxy-url'),
    disableCompression: fields.flag('disable-compression'),
    execConfig: fields
      .items('extensions')
      .find((extension) => extension.text('name') === execExtension)
      ?.raw('extension'),
  }
}

function readUser(fields: Fields): KubeUser {
  return {
    file: fields.file,
    certFile: fields.path('client-certificate'),
    certData: fields.text('client-certificate-data'),
    keyFile: fields.path('client-key'),
    keyData: fields.text('client-key-data'),
    token: fields.text('token'),
    tokenFile: fields.path('tokenFile'),
    username: fields.text('username'),
    password: fields.text('password'),
    impersonate: readImpersonation(fields),
    exec: readExec(fields.child('exec')),
    authProvider: readAuthProvider(fields.child('auth-provider')),
  }
}

function readImpersonation(fields: Fields): Impersonation | undefined {
  const user = fields.text('as')
  const uid = fields.text('as-uid')
  const groups = fields.texts('as-groups')
  const extra = fields.child('as-user-extra')
  if (user === '' && uid === '' && groups.length === 0 && extra === undefined) return undefined
  const keys = extra?.keys() ?? []
  return { user, uid, groups, extra: Object.fromEntries(keys.map((key) => [key, extra?.texts(key) ?? []])) }
}

function readExec(fields: Fields | undefined): ExecPlugin | undefined {
  if (fields === undefined) return undefined
  const command = fields.text('command')
  return {
    apiVersion: fields.text('apiVersion'),
    // A name without a separator is looked up on PATH.
    command: command.includes(path.sep) ? fields.path('command') : command,
    args: fields.texts('args'),
    env: fields.items('env').map((item) => ({ name: item.text('name'), value: item.text('value') })),
    installHint: fields.text('installHint'),
    provideClusterInfo: fields.flag('provideClusterInfo'),
    interactiveMode: fields.text('interactiveMode'),
  }
}

function readAuthProvider(fields: Fields | undefined): AuthProvider | undefined {
  if (fields === undefined) return undefined
  const config = fields.child('config')
  const keys = config?.keys() ?? []
  return {
    name: fields.text('name'),
    config: Object.fromEntries(keys.map((key) => [key, config?.text(key) ?? ''])),
  }
}

/** One mapping of the file, read with the types that client-go expects. */
class Fields {
  private readonly object: JsonObject
  readonly file: string
  private readonly where: string

  constructor(object: JsonObject, file: string, where: string) {
    this.object = object
    this.file = file
    this.where = where
  }

  keys(): readonly string[] {
    return Object.keys(this.object)
  }

  raw(key: string): Json | undefined {
    return Object.hasOwn(this.object, key) ? this.object[key] : undefined
  }

  text(key: string): string {
    const value = this.raw(key) ?? ''
    if (typeof value !== 'string') throw this.wrong(key, 'a string')
    return value
  }

  flag(key: string): boolean {
    const value = this.raw(key) ?? false
    if (typeof value === 'boolean') return value
    // YAML 1.1's words, which kubectl's parser reads as booleans and ours as strings.
    if (typeof value === 'string' && /^(y|yes|on)$/i.test(value)) return true
    if (typeof value === 'string' && /^(n|no|off)$/i.test(value)) return false
    throw this.wrong(key, 'a boolean')
  }

  texts(key: string): readonly string[] {
    return this.array(key).map((value) => {
      if (typeof value !== 'string') throw this.wrong(key, 'a list of strings')
      return value
    })
  }

  items(key: string): readonly Fields[] {
    return this.array(key).map((value, index) => {
      if (!isObject(value)) throw this.wrong(key, 'a list of mappings')
      return new Fields(value, this.file, `${this.at(key)}[${index}]`)
    })
  }

  child(key: string): Fields | undefined {
    const value = this.raw(key) ?? undefined
    if (value === undefined) return undefined
    if (!isObject(value)) throw this.wrong(key, 'a mapping')
    return new Fields(value, this.file, this.at(key))
  }

  path(key: string): string {
    const value = this.text(key)
    return value === '' ? '' : path.resolve(path.dirname(this.file), value)
  }

  named<T>(key: string, part: string, read: (fields: Fields) => T): ReadonlyMap<string, T> {
    const result = new Map<string, T>()
    for (const item of this.items(key)) {
      const name = item.text('name')
      if (result.has(name)) throw broken(this.file, `${key} has the name "${name}" twice`)
      result.set(name, read(item.child(part) ?? new Fields({}, this.file, item.at(part))))
    }
    return result
  }

  private array(key: string): readonly Json[] {
    const value = this.raw(key) ?? []
    if (!isArray(value)) throw this.wrong(key, 'a list')
    return value
  }

  private at(key: string): string {
    return this.where === '' ? key : `${this.where}.${key}`
  }

  private wrong(key: string, expected: string): ClusterError {
    return broken(this.file, `${this.at(key)} must be ${expected}`)
  }
}

function broken(file: string, reason: string, cause?: unknown): ClusterError {
  return new ClusterError('config', `the kubeconfig ${file} cannot be read: ${reason}`, { cause })
}
