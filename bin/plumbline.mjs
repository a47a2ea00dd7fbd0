#!/usr/bin/env node
// Runs the built command line on the Node that the package brings, whatever the machine has.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
if (!existsSync(main)) {
  console.error('plumbline is not built; run `npm install` in its folder')
  process.exit(2)
}
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
// What undici needs.
if (major > 22 || (major === 22 && minor >= 19)) await import(main)
else {
  const node = createRequire(import.meta.url).resolve('node/bin/node')
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 2) : 130))
}
