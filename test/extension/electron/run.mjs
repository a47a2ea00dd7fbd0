// Runs the suite beside it in a VS Code that is downloaded for it: `node test/extension/electron/run.mjs [WORKSPACE]`.
// Where none can be had (no network, no display) it says so on one line and ends well: nothing was tested then.
import { runTests, downloadAndUnzipVSCode } from '@vscode/test-electron'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const root = resolve(here, '../../..')
const home = await mkdtemp(join(tmpdir(), 'plumbline-electron-'))

let vscodeExecutablePath
try {
  vscodeExecutablePath = await downloadAndUnzipVSCode({ cachePath: join(home, 'vscode'), timeout: 20_000 })
} catch (error) {
  console.log(
    `skipped: VS Code could not be downloaded (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`,
  )
}
if (vscodeExecutablePath !== undefined && process.platform === 'linux' && process.env.DISPLAY === undefined) {
  console.log('skipped: no display')
  vscodeExecutablePath = undefined
}
try {
  if (vscodeExecutablePath !== undefined) {
    await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: root,
      extensionTestsPath: join(here, 'suite.cjs'),
      extensionTestsEnv: { XDG_STATE_HOME: join(home, 'state') },
      launchArgs: [
        resolve(process.argv[2] ?? join(root, 'examples', 'tour')),
        '--disable-extensions',
        '--disable-workspace-trust',
        `--user-data-dir=${join(home, 'user')}`,
      ],
    })
  }
} finally {
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 300 })
}
