// Draws what a command printed as an SVG: node test/support/terminal-picture.ts FIRST LAST < output.txt > picture.svg
// FIRST and LAST are texts of the first and the last line to draw. Colours are read from the output's escape codes.
import { readFileSync } from 'node:fs'
import { textWidth } from '../../cli/format/text-width.ts'

const [, , first = '', last = ''] = process.argv
const ROW = 19
const CELL = 8.43
const COLOURS: Readonly<Record<string, string>> = {
  '31': '#ff7b72',
  '32': '#56d364',
  '33': '#e3b341',
  '34': '#79c0ff',
  '35': '#d2a8ff',
}

const all = readFileSync(0, 'utf8').replaceAll('\r', '').split('\n')
const plain = all.map((line) => line.replaceAll(/\u001B\[[\d;]*[A-Za-z]/g, ''))
const from = Math.max(
  0,
  plain.findIndex((line) => line.includes(first)),
)
const to = plain.findIndex((line, index) => index > from && line.includes(last))
const lines = all.slice(from, to < 0 ? undefined : to + 1)
const columns = Math.max(...plain.slice(from, from + lines.length).map(textWidth))
const width = Math.ceil(columns * CELL + 40)
const height = lines.length * ROW + 34

console.log(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(first).replaceAll('\u00A0', ' ')}">`,
)
console.log(`<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`)
console.log(
  '<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="14" fill="#e6edf3">',
)
for (const [index, line] of lines.entries()) console.log(`<text x="20" y="${30 + index * ROW}">${spans(line)}</text>`)
console.log('</g></svg>')

function spans(line: string): string {
  let style = ''
  let text = ''
  for (const part of line.split(/(\u001B\[[\d;]*[A-Za-z])/)) {
    const code = /^\u001B\[([\d;]*)m$/.exec(part)?.[1]
    if (code !== undefined) style = styleOf(code, style)
    else if (!part.startsWith('\u001B'))
      text += style === '' ? escaped(part) : `<tspan ${style}>${escaped(part)}</tspan>`
  }
  return text
}

function styleOf(code: string, before: string): string {
  if (code === '1') return 'font-weight="bold"'
  if (code === '2') return 'fill="#8b949e"'
  const colour = COLOURS[code]
  return colour === undefined ? (/^(0|22|39)$/.test(code) ? '' : before) : `fill="${colour}"`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(' ', '\u00A0')
}
