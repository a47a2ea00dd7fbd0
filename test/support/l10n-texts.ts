import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Every text that code hands to `l10n.t`, sorted: the keys of a translation. */
export function l10nTexts(source: string): readonly string[] {
  const found = [...source.matchAll(/\bl10n\.t\(\s*'((?:[^'\\]|\\.)*)'/g)].map(([, text]) => unescaped(text ?? ''))
  const double = [...source.matchAll(/\bl10n\.t\(\s*"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => unescaped(text ?? ''))
  return [...new Set([...found, ...double])].sort()
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1')
}

// Run by itself it writes the bundle: `node test/support/l10n-texts.ts`.
if (process.argv[1] === import.meta.filename) {
  const root = path.resolve(import.meta.dirname, '../..')
  const sources = readdirSync(path.join(root, 'extension'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(path.join(root, 'extension', name), 'utf8'))
  const bundle = Object.fromEntries(l10nTexts(sources.join('\n')).map((text) => [text, text]))
  writeFileSync(path.join(root, 'l10n', 'bundle.l10n.json'), `${JSON.stringify(bundle, undefined, 2)}\n`)
}
