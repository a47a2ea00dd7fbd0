import { app } from 'electron'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }
import { readAssets } from '../host/assets.ts'
import { openServices, windowFolder } from '../host/services.ts'
import { startAgentProcess } from './agent-link.ts'
import { CrashLog } from './crash-log.ts'
import { deepLinkIn, readDeepLink } from './deep-link.ts'
import { Desktop } from './desktop.ts'
import { lockDown } from './lock-down.ts'
import { announcePageScheme } from './page-protocol.ts'
import { readProgramWords, RUN_WORD, type ProgramWords } from './program-words.ts'

// Everything lies beside this file: `ui/` with the page, the preload, the agent.
const here = import.meta.dirname
const words = process.argv.slice(app.isPackaged ? 1 : 2)
const started = readProgramWords(words)

if (started.kind === 'run') {
  // Plain Node is fused off; a part of ours that needs a process of its own is run by this program, without a window.
  app.dock?.hide()
  process.argv = [process.argv[0] ?? '', started.file, ...started.words]
  await import(pathToFileURL(path.resolve(started.file)).href)
} else {
  startWindow(started)
}

function startWindow({ folder }: Extract<ProgramWords, { kind: 'window' }>): void {
  const own = windowFolder(process.env)
  const log = new CrashLog(own)
  process.on('uncaughtException', (error) => log.write('uncaught', error))
  process.on('unhandledRejection', (error) => log.write('unhandled', error))
  app.on('render-process-gone', (_event, _contents, details) => log.write('page', details.reason))
  app.on('child-process-gone', (_event, details) => log.write(details.type, details.reason))
  app.setPath('userData', path.join(own, 'electron'))
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return
  }
  app.enableSandbox()
  announcePageScheme()
  lockDown(app)
  if (app.isPackaged) app.setAsDefaultProtocolClient('plumbline')
  const desktop = begin(own, folder, log)
  desktop.catch((error: unknown) => {
    log.write('start', error)
    app.exit(1)
  })
  app.on('second-instance', (_event, argv, cwd) => {
    const link = deepLinkIn(argv)
    const named = readProgramWords(argv.slice(app.isPackaged ? 1 : 2))
    void desktop.then(async (running) => {
      if (link !== undefined) return running.follow(link)
      const other = named.kind === 'window' ? named.folder : undefined
      return other === undefined ? running.show() : running.open(path.resolve(cwd, other))
    })
  })
  // macOS hands links over as events.
  app.on('open-url', (event, url) => {
    event.preventDefault()
    const link = readDeepLink(url)
    if (link !== undefined) void desktop.then(async (running) => running.follow(link))
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  app.on('will-quit', () => void desktop.then((running) => running.dispose()))
}

async function begin(own: string, folder: string | undefined, log: CrashLog): Promise<Desktop> {
  await app.whenReady()
  const ui = path.join(here, 'ui')
  const env = {
    ...definedOnly(process.env),
    PLUMBLINE_PROGRAM: JSON.stringify([app.getPath('exe'), ...(app.isPackaged ? [] : [app.getAppPath()]), RUN_WORD]),
  }
  const main = path.join(here, 'agent-process.js')
  const onLog = (text: string): void => log.write('agent', text.trimEnd())
  const launch = {
    node: process.execPath,
    main,
    env,
    share: true,
    begin: () => startAgentProcess({ main, env, onLog }),
  }
  const link = deepLinkIn(words)
  const options = {
    services: openServices(launch, process.env),
    assets: await readAssets(ui),
    folder: own,
    preload: path.join(here, 'preload.cjs'),
    icon: path.join(here, 'icon.png'),
    version: manifest.version,
  }
  const desktop = await Desktop.start(options, folder === undefined ? undefined : path.resolve(folder))
  if (link !== undefined) await desktop.follow(link)
  return desktop
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
