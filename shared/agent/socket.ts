import { createServer, connect, type Server, type Socket } from 'node:net'
import { lstat, mkdir, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { sha256 } from '../base/digest.ts'
import { stateFolder } from '../base/folders.ts'
import { PROTOCOL } from './contract.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What an agent's work depends on besides what its clients ask: another value is another agent. */
const OF_AGENT = ['KUBECONFIG', 'PATH', 'HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'PLUMBLINE_KEYS'] as const
/** `sun_path` of Linux has 108 bytes, macOS's 104. */
const LONGEST_PATH = 100

/** The socket that agents of this user, this protocol and this environment share; undefined where there can be none. */
export function socketPath(env: Environment = process.env): string | undefined {
  // A named pipe of Windows cannot be kept to one user from here.
  if (process.platform === 'win32') return undefined
  const same = sha256(JSON.stringify([homedir(), ...OF_AGENT.map((name) => env[name] ?? '')])).slice(0, 12)
  const file = path.join(stateFolder(env), 'agent', `${PROTOCOL}-${same}.sock`)
  return Buffer.byteLength(file) > LONGEST_PATH ? undefined : file
}

/** A connection to an agent that runs already; undefined where none answers, or the folder is not ours alone. */
export async function dialAgent(file: string): Promise<Socket | undefined> {
  if (!(await isPrivate(path.dirname(file)))) return undefined
  return new Promise((resolve) => {
    const socket = connect(file)
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      resolve(socket)
    })
    socket.once('error', () => resolve(undefined))
  })
}

/** Listens where no other agent does. @returns undefined where one does, or the folder is not ours alone */
export async function listenPrivately(file: string, onClient: (socket: Socket) => void): Promise<Server | undefined> {
  const folder = path.dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (!(await isPrivate(folder))) return undefined
  const other = await dialAgent(file)
  if (other !== undefined) {
    other.destroy()
    return undefined
  }
  // A socket that nobody answers was left by an agent that was killed.
  await rm(file, { force: true })
  const server = createServer(onClient)
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen(file, () => resolve(server))
  })
}

/** Whether a folder is a real one, ours, and closed to everybody else. */
async function isPrivate(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
}
