import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** A temporary place where real git, gpg and ssh-keygen make keys, repositories and signatures. */
export class Workshop {
  readonly dir: string
  /** Holds the private keys. */
  readonly makerHome: string
  /** Holds the public keys that the judge knows. */
  readonly judgeHome: string

  constructor() {
    this.dir = mkdtempSync(join(tmpdir(), 'sig-'))
    this.makerHome = this.folder('maker', 0o700)
    this.judgeHome = this.folder('judge', 0o700)
    this.file('maker/gpg.conf', 'batch\nno-tty\npinentry-mode loopback\npassphrase ""\ncert-digest-algo SHA512\n')
    // gpg itself refuses MD5 alone; our rule refuses these too, so the judge gets the same rule.
    this.file('judge/gpg.conf', 'batch\nno-tty\nweak-digest SHA1\nweak-digest RIPEMD160\n')
    this.file('gitconfig', '[user]\n\tname = Ann Maker\n\temail = ann@example.com\n[init]\n\tdefaultBranch = main\n')
  }

  /** Ends the gpg agents that were started here, and removes everything. */
  dispose(): void {
    for (const home of [this.makerHome, this.judgeHome]) {
      spawnSync('gpgconf', ['--kill', 'all'], { env: { ...process.env, GNUPGHOME: home } })
    }
    rmSync(this.dir, { recursive: true, force: true })
  }

  path(name: string): string {
    return join(this.dir, name)
  }

  folder(name: string, mode = 0o755): string {
    mkdirSync(this.path(name), { recursive: true, mode })
    return this.path(name)
  }

  file(name: string, content: string | Uint8Array, mode = 0o600): string {
    writeFileSync(this.path(name), content, { mode })
    return this.path(name)
  }

  /** A program that calls gpg with more options. */
  gpgWith(name: string, options: string): string {
    const path = this.file(name, `#!/bin/sh\nexec gpg ${options} "$@"\n`, 0o755)
    chmodSync(path, 0o755)
    return path
  }

  env(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.dir,
      TZ: 'UTC',
      LC_ALL: 'C',
      GNUPGHOME: this.makerHome,
      GIT_CONFIG_GLOBAL: this.path('gitconfig'),
      GIT_CONFIG_NOSYSTEM: '1',
      ...extra,
    }
  }

  gpg(args: readonly string[], input?: string | Uint8Array): Buffer {
    return execFileSync('gpg', [...args], { env: this.env(), input, stdio: ['pipe', 'pipe', 'pipe'] })
  }

  /** Makes a key with no passphrase; gives its fingerprint. */
  gpgKey(
    name: string,
    algorithm: string,
    options: { readonly usage?: string; readonly expire?: string; readonly at?: string } = {},
  ): string {
    const { usage = 'sign', expire = 'never', at } = options
    const clock = at === undefined ? [] : ['--faked-system-time', `${at}!`]
    this.gpg([...clock, '--quick-gen-key', `${name} <${name}@example.com>`, algorithm, usage, expire])
    return this.fingerprintOf(name)
  }

  fingerprintOf(name: string): string {
    const listing = this.gpg(['--with-colons', '--list-keys', `<${name}@example.com>`]).toString()
    return /^fpr:+([0-9A-F]+):/m.exec(listing)?.[1] ?? ''
  }

  /** Gives the judge a key as it now stands. */
  trust(fingerprint: string): void {
    const key = this.gpg(['--export', fingerprint])
    execFileSync('gpg', ['--import'], {
      env: this.env({ GNUPGHOME: this.judgeHome }),
      input: key,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
  }

  judgeKeys(): Buffer {
    return execFileSync('gpg', ['--export'], { env: this.env({ GNUPGHOME: this.judgeHome }), maxBuffer: 1 << 26 })
  }

  sshKey(name: string, type: string, bits?: number): string {
    const size = bits === undefined ? [] : ['-b', String(bits)]
    const path = this.path(name)
    this.run('ssh-keygen', ['-q', '-t', type, ...size, '-N', '', '-C', `${name}@example.com`, '-f', path])
    return path
  }

  read(name: string): string {
    return readFileSync(existsSync(name) ? name : this.path(name), 'utf8')
  }

  run(
    binary: string,
    args: readonly string[],
    options: {
      readonly cwd?: string
      readonly input?: string | Uint8Array
      readonly env?: Record<string, string>
    } = {},
  ): Buffer {
    return execFileSync(binary, [...args], {
      cwd: options.cwd ?? this.dir,
      env: this.env(options.env),
      input: options.input,
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 1 << 26,
    })
  }
}

/** A repository of the workshop. */
export class Repository {
  readonly dir: string
  readonly workshop: Workshop

  constructor(workshop: Workshop, name: string, format: 'sha1' | 'sha256' = 'sha1') {
    this.workshop = workshop
    this.dir = workshop.folder(name)
    this.git(['init', '-q', `--object-format=${format}`])
    this.git(['commit', '-q', '--allow-empty', '-m', 'root'])
  }

  git(
    args: readonly string[],
    options: { readonly input?: string | Uint8Array; readonly env?: Record<string, string> } = {},
  ): string {
    return this.workshop
      .run('git', args, { cwd: this.dir, ...options })
      .toString('utf8')
      .trim()
  }

  /** A signed commit on the current branch; `config` are `-c` settings. */
  commit(
    config: readonly string[],
    args: readonly string[] = ['-m', 'change'],
    env: Record<string, string> = {},
  ): string {
    const settings = config.flatMap((setting) => ['-c', setting])
    this.git([...settings, 'commit', '-q', '--allow-empty', '-S', ...args], { env })
    return this.git(['rev-parse', 'HEAD'])
  }

  tag(name: string, config: readonly string[], args: readonly string[] = ['-m', 'release']): string {
    const settings = config.flatMap((setting) => ['-c', setting])
    this.git([...settings, 'tag', '-s', ...args, name])
    return this.git(['rev-parse', name])
  }

  object(kind: 'commit' | 'tag', sha: string): Buffer {
    return this.workshop.run('git', ['cat-file', kind, sha], { cwd: this.dir })
  }

  /** Writes an object as it is, however odd. */
  write(kind: 'commit' | 'tag', bytes: string | Uint8Array): string {
    return this.git(['hash-object', '-t', kind, '-w', '--literally', '--stdin'], { input: bytes })
  }
}

/** The first of some programs that PATH lacks; undefined where all are there. */
export function missingProgram(programs: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return programs.find((program) => !folders.some((folder) => existsSync(join(folder, program))))
}
