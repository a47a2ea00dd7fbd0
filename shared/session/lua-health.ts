import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { LuaFactory, LuaLibraries, type LuaEngine } from 'wasmoon'
import { HEALTH_ORDER, type Health, type HealthCode } from '../model/health.ts'
import { isObject, stringifyJson, type Json } from '../model/json.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { HealthScript, HealthScripts } from './health-scripts.ts'

const TIME_LIMIT_MS = 500
const MEMORY_LIMIT = 32 * 1024 * 1024
/** Nothing that reads files, runs programs or loads code; of the clock only the time (Argo CD `util/lua`, SafeOsLib). */
const WITHOUT_DANGER = `
  dofile, loadfile, load, collectgarbage, print = nil, nil, nil, nil, nil
  if os then os = { time = os.time, date = os.date, clock = os.clock, difftime = os.difftime } end
`

/** Runs health scripts in a WebAssembly Lua that sees the object and nothing else. */
export class LuaHealth {
  readonly digest: string
  readonly #scripts: HealthScripts
  readonly #plain: LuaEngine
  readonly #open: LuaEngine

  private constructor(scripts: HealthScripts, plain: LuaEngine, open: LuaEngine) {
    this.digest = scripts.digest
    this.#scripts = scripts
    this.#plain = plain
    this.#open = open
  }

  static async start(scripts: HealthScripts): Promise<LuaHealth> {
    const factory = new LuaFactory(wasmFile())
    const engine = async (more: readonly LuaLibraries[]): Promise<LuaEngine> => {
      const options = { openStandardLibs: false, injectObjects: false, enableProxy: false, traceAllocations: true }
      const made = await factory.createEngine(options)
      for (const library of [LuaLibraries.Base, LuaLibraries.Table, LuaLibraries.OS, ...more]) {
        made.global.loadLibrary(library)
      }
      made.doStringSync(WITHOUT_DANGER)
      made.global.setMemoryMax(MEMORY_LIMIT)
      return made
    }
    const open = [LuaLibraries.String, LuaLibraries.Math, LuaLibraries.UTF8]
    return new LuaHealth(scripts, await engine([]), await engine(open))
  }

  /** Undefined where no script speaks for the kind. */
  healthOf(object: KubeObject): Health | undefined {
    const found = this.#scripts.scriptFor(object)
    if (found === undefined) return undefined
    try {
      return readHealth(this.#run(found, object))
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return { status: 'Unknown', message: `its health script failed: ${why}` }
    }
  }

  dispose(): void {
    this.#plain.global.close()
    this.#open.global.close()
  }

  #run({ script, openLibs }: HealthScript, object: KubeObject): unknown {
    const { global } = openLibs ? this.#open : this.#plain
    const thread = global.newThread()
    const index = global.getTop()
    try {
      global.set('obj', plain(object))
      thread.loadString(script)
      thread.setTimeout(Date.now() + TIME_LIMIT_MS)
      return thread.runSync()[0]
    } finally {
      global.remove(index)
    }
  }
}

/** The interpreter lies beside the bundle, or in its package where nothing is bundled. */
function wasmFile(): string {
  const beside = fileURLToPath(new URL('./glue.wasm', import.meta.url))
  return existsSync(beside) ? beside : createRequire(import.meta.url).resolve('wasmoon/dist/glue.wasm')
}

/** Lua knows no null and no large integer. */
function plain(object: KubeObject): unknown {
  return JSON.parse(stringifyJson(object), (_, value: unknown) => value ?? undefined)
}

function readHealth(answer: unknown): Health {
  const { status, message, aggregateAs } = isObject(answer as Json) ? (answer as Answer) : {}
  const known = HEALTH_ORDER.find((code): code is HealthCode => code === status)
  if (known === undefined) return { status: 'Unknown', message: 'its health script gave no status' }
  const counted = HEALTH_ORDER.find((code): code is HealthCode => code === aggregateAs)
  return {
    status: known,
    ...(typeof message === 'string' && message !== '' ? { message } : {}),
    ...(counted === undefined ? {} : { aggregateAs: counted }),
  }
}

type Answer = { readonly status?: unknown; readonly message?: unknown; readonly aggregateAs?: unknown }
