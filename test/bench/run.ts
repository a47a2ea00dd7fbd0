// `npm run bench [-- NAME...]`: measures, prints a table of ratios taken side by side in one run, writes JSON.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { benchDrift, type Row } from './drift.ts'
import { benchExtension, extensionIsMissing } from './extension.ts'
import { benchRehearsal } from './rehearsal.ts'
import { benchSignature } from './signature.ts'
import { benchSimulator } from './simulator.ts'
import { benchWindow, windowIsMissing } from './window.ts'
import { missingTools } from '../support/tools/find.ts'
import { run } from '../../shared/base/process.ts'

type Bench = {
  readonly name: string
  readonly run: () => Promise<readonly Row[]>
  readonly missing: () => Promise<string | false>
}

const servers = async (): Promise<string | false> => missingTools('etcd', 'kube-apiserver', 'kubectl')

async function signers(): Promise<string | false> {
  for (const [binary, flag] of [
    ['git', '--version'],
    ['gpg', '--version'],
    ['ssh-keygen', '-?'],
  ] as const) {
    if ((await run(binary, [flag], { timeoutMs: 10_000 })).kind === 'not-found') return `no ${binary} on PATH`
  }
  return false
}

const benches: readonly Bench[] = [
  { name: 'drift-1000', run: async () => benchDrift(1000), missing: servers },
  { name: 'drift-10000', run: async () => benchDrift(10_000), missing: servers },
  { name: 'rehearsal', run: benchRehearsal, missing: async () => false },
  { name: 'simulator', run: benchSimulator, missing: async () => false },
  { name: 'extension', run: benchExtension, missing: extensionIsMissing },
  { name: 'window', run: benchWindow, missing: windowIsMissing },
  { name: 'signature', run: benchSignature, missing: signers },
]

const asked = process.argv.slice(2)
const rows: (Row & { readonly bench: string })[] = []
for (const bench of benches) {
  if (asked.length > 0 && !asked.includes(bench.name)) continue
  const skip = await bench.missing()
  if (skip !== false) {
    console.log(`${bench.name} skipped: ${skip}`)
    continue
  }
  rows.push(...(await bench.run()).map((row) => ({ ...row, bench: bench.name })))
}
const header = ['work', 'ours', 'theirs', 'ratio', 'bar', '']
const cells = rows.map((row) => [
  row.work,
  row.ours,
  row.theirs,
  row.ratio === undefined ? '' : `${row.ratio.toFixed(1)}x`,
  row.bar,
  row.met ? 'met' : 'NOT MET',
])
const widths = header.map((_, column) => Math.max(...[header, ...cells].map((line) => line[column]?.length ?? 0)))
for (const line of [header, ...cells])
  console.log(
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
const folder = path.resolve(import.meta.dirname, '../../bench-results')
await mkdir(folder, { recursive: true })
await writeFile(path.join(folder, 'bench.json'), `${JSON.stringify({ node: process.version, rows }, undefined, 2)}\n`)
