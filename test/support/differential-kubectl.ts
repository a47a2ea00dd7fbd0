import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { kubectl } from './kubectl.ts'
import type { KubectlResult } from './kubectl.ts'

/** One call of kubectl; `{}` in an argument is the folder with the files. */
export interface KubectlStep {
  readonly argv: string
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** Lines come in no fixed order. */
  readonly sorted?: boolean
  /** Only these parts of the output are promised. */
  readonly only?: RegExp
  /** Asks again until the output has this, for at most 30 s. */
  readonly until?: RegExp
  /** Ends by itself only when it is killed; milliseconds to let it run. */
  readonly killAfterMs?: number
}

export interface KubectlDifference {
  readonly argv: string
  readonly expected: string
  readonly got: string
}

export interface KubectlPair {
  readonly real: string
  readonly ours: string
}

/** Files for `-f`, the same for both servers. */
export async function writeFiles(
  files: Readonly<Record<string, string>>,
): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-kubectl-'))
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text, { mode: 0o755 })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Runs the same calls against both servers, each in order, and compares what kubectl says. */
export async function compareKubectl(
  pair: KubectlPair,
  folder: string,
  steps: readonly KubectlStep[],
): Promise<readonly KubectlDifference[]> {
  const differences: KubectlDifference[] = []
  for (const step of steps) {
    const [real, ours] = await Promise.all([runStep(pair.real, folder, step), runStep(pair.ours, folder, step)])
    const expected = normalOutput(real, folder, step)
    const got = normalOutput(ours, folder, step)
    if (expected !== got) differences.push({ argv: step.argv, expected, got })
  }
  return differences
}

async function runStep(kubeconfigPath: string, folder: string, step: KubectlStep): Promise<KubectlResult> {
  const argv = words(step.argv).map((word) => word.replaceAll('{}', folder))
  const options = {
    kubeconfigPath,
    cwd: folder,
    ...(step.input === undefined ? {} : { input: step.input }),
    ...(step.killAfterMs === undefined ? {} : { timeoutMs: step.killAfterMs }),
    env: Object.fromEntries(
      Object.entries(step.env ?? {}).map(([name, value]) => [name, value.replaceAll('{}', folder)]),
    ),
  }
  const deadline = Date.now() + 30_000
  for (;;) {
    const result = await kubectl(argv, options)
    if (step.until === undefined || step.until.test(result.stdout) || Date.now() > deadline) return result
  }
}

/** Splits at blanks; single quotes hold a word together. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/gu)].map((match) => match[1] ?? match[2] ?? '')
}

function normalOutput(result: KubectlResult, folder: string, step: KubectlStep): string {
  const all = [`exit ${result.code}`, result.stdout, result.stderr].join('\n')
  const text = step.only === undefined ? all : [...all.matchAll(step.only)].map(([part]) => part).join('\n')
  const lines = text.replaceAll(folder, '<folder>').split('\n').map(normalLine)
  return (step.sorted === true ? lines.sort() : lines).join('\n')
}

const rules: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu, '<uid>'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| [+-]\d{4} \w+)?/gu, '<time>'],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/gu, '<time>'],
  [/(Resource Version: +)\d+/gu, '$1<rv>'],
  [/(resourceVersion: )"\d+"/gu, '$1"<rv>"'],
  [/("resourceVersion": )"\d+"/gu, '$1"<rv>"'],
  [/\b192\.0\.2\.2:\d+/gu, '<server>'],
  [/\b10\.(?:0|244|1)\.\d+\.\d+\b/gu, '<ip>'],
  [/https:\/\/127\.0\.0\.1:\d+/gu, '<server>'],
  [/\/tmp\/(?:LIVE|MERGED)-\d+/gu, '/tmp/<side>'],
  [/\b(3[0-2]\d{3})(?=\/|\b)/gu, '<nodePort>'],
  // Names that a controller makes: pod-template-hash, then five random letters.
  [/-(?:[0-9a-z]{5,10}-[0-9a-z]{5}|[0-9a-f]{6,10})\b/gu, '-<hash>'],
  [/(pod-template-hash[=:] ?)"?[0-9a-z]+"?/gu, '$1<hash>'],
  [/\b(?:\d+d)?(?:\d+h)?(?:\d+m)?\d+(?:ms|s)\b(?: ago)?/gu, '<age>'],
  [/<invalid>/gu, '<age>'],
  [/(?<=\S)[ \t]{2,}/gu, '  '],
]

function normalLine(line: string): string {
  return rules.reduce((text, [pattern, word]) => text.replace(pattern, word), line).trimEnd()
}
