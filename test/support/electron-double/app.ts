import { EventEmitter } from 'node:events'
import { mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { browserContext } from './browser-page.ts'

const LOOK_MS = 50

/** The app's life, as far as main takes part in it. */
class App extends EventEmitter {
  readonly isPackaged = false
  #userData = ''
  #quitting = false

  setPath(_name: string, folder: string): void {
    this.#userData = folder
  }

  getPath(name: string): string {
    return name === 'exe' ? (process.env['ELECTRON_DOUBLE_PROGRAM'] ?? '') : this.#userData
  }

  getAppPath(): string {
    return process.argv[1] ?? ''
  }

  /** The first process of a folder holds its lock, and is told the words of the others. */
  requestSingleInstanceLock(): boolean {
    mkdirSync(this.#userData, { recursive: true })
    const lock = path.join(this.#userData, 'lock')
    try {
      writeSync(openSync(lock, 'wx'), String(process.pid))
    } catch {
      const told = JSON.stringify({ argv: process.argv, cwd: process.cwd() })
      writeFileSync(path.join(this.#userData, `second-${process.pid}`), told)
      return false
    }
    process.on('exit', () => rmSync(lock, { force: true }))
    setInterval(() => this.#tellSecond(), LOOK_MS).unref()
    return true
  }

  async whenReady(): Promise<void> {
    await browserContext()
  }

  enableSandbox(): void {
    // The page's sandbox is Chromium's own.
  }

  setAsDefaultProtocolClient(): boolean {
    return true
  }

  quit(): void {
    if (this.#quitting) return
    this.#quitting = true
    this.emit('before-quit')
    this.emit('will-quit')
    setTimeout(() => process.exit(0), 300)
  }

  exit(code: number): void {
    process.exit(code)
  }

  #tellSecond(): void {
    for (const name of readdirSync(this.#userData).filter((file) => file.startsWith('second-'))) {
      const file = path.join(this.#userData, name)
      const { argv, cwd } = JSON.parse(readFileSync(file, 'utf8')) as {
        readonly argv: readonly string[]
        readonly cwd: string
      }
      rmSync(file)
      this.emit('second-instance', {}, argv, cwd)
    }
  }
}

export const app = new App()
process.on('SIGTERM', () => app.quit())
