import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { COMMAND_IDS } from '../../../extension/commands/command-ids.ts'
import { l10nTexts } from '../../support/l10n-texts.ts'

const root = path.resolve(import.meta.dirname, '../../..')

type Contributed = { readonly command: string; readonly when?: string }
type Manifest = {
  readonly icon: string
  readonly contributes: {
    readonly commands: readonly (Contributed & { readonly title: string; readonly icon?: string })[]
    readonly menus: Readonly<Record<string, readonly Contributed[]>>
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly icon: string }[]>>
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string }[]
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> }
  }
}

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest
const { commands, menus, views, viewsWelcome, configuration } = manifest.contributes
const texts = JSON.parse(readFileSync(path.join(root, 'package.nls.json'), 'utf8')) as Readonly<Record<string, string>>
const sources = readdirSync(path.join(root, 'extension'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join(root, 'extension', name), 'utf8'))
  .join('\n')

test('package.json contributes exactly the commands that there are', () => {
  assert.deepEqual(commands.map(({ command }) => command).sort(), [...COMMAND_IDS].sort())
})

test('every menu item and every link of an empty view names a command that there is', () => {
  const known = new Set<string>(COMMAND_IDS)
  const inMenus = Object.values(menus).flatMap((items) => items.map(({ command }) => command))
  const inLinks = viewsWelcome.flatMap(({ contents }) =>
    [...(texts[contents.slice(1, -1)] ?? '').matchAll(/command:(plumbline\.\w+)/g)].map(([, id]) => id ?? ''),
  )
  assert.deepEqual(
    [...inMenus, ...inLinks].filter((id) => !known.has(id)),
    [],
  )
})

test('every command that the code names exists', () => {
  const known = new Set<string>([
    ...COMMAND_IDS,
    ...Object.values(views)
      .flat()
      .map(({ id }) => id),
  ])
  const named = [...sources.matchAll(/'(plumbline\.[a-z]\w*)'/g)].map(([, id]) => id ?? '')
  const other = new Set([
    'plumbline.stage',
    'plumbline.hasDrift',
    'plumbline.syncing',
    'plumbline.filtered',
    'plumbline.context',
    'plumbline.application',
    'plumbline.credentials',
    'plumbline.svg',
  ])
  const settings = Object.keys(configuration.properties)
  const known2 = (id: string): boolean => known.has(id) || other.has(id) || settings.some((name) => name.startsWith(id))
  assert.deepEqual(
    [...new Set(named)].filter((id) => !known2(id)),
    [],
  )
})

test('every setting that is documented is read, and every one that is read is documented', () => {
  const text = readFileSync(path.join(root, 'extension', 'settings.ts'), 'utf8')
  const read = [...text.matchAll(/(?:text|list|flag)\('([\w.]+)'\)/g)].map(([, name]) => `plumbline.${name}`)
  assert.deepEqual([...new Set(read)].sort(), Object.keys(configuration.properties).sort())
})

test('every welcome text belongs to a view, and every picture is there', () => {
  const known = new Set(
    Object.values(views)
      .flat()
      .map(({ id }) => id),
  )
  assert.deepEqual(
    viewsWelcome.filter(({ view }) => !known.has(view)),
    [],
  )
  const pictures = [
    manifest.icon,
    ...Object.values(views)
      .flat()
      .map(({ icon }) => icon),
  ]
  assert.deepEqual(
    pictures.filter((file) => !existsSync(path.join(root, file))),
    [],
  )
})

test('every text of package.json stands in package.nls.json, and every one there is used', () => {
  const whole = readFileSync(path.join(root, 'package.json'), 'utf8')
  const named = [...whole.matchAll(/"%([\w.-]+)%"/g)].map(([, name]) => name ?? '')
  assert.deepEqual([...new Set(named)].sort(), Object.keys(texts).sort())
  const titles = commands.map(({ title }) => title)
  assert.deepEqual(
    titles.filter((title) => !/^%.+%$/.test(title)),
    [],
  )
})

test('every text of the code stands in the bundle that is translated', () => {
  const bundle = JSON.parse(readFileSync(path.join(root, 'l10n', 'bundle.l10n.json'), 'utf8')) as object
  assert.deepEqual(Object.keys(bundle), l10nTexts(sources))
})

test('no two commands have one title', () => {
  const titles = commands.map(({ title }) => texts[title.slice(1, -1)] ?? '')
  assert.equal(new Set(titles).size, titles.length)
})
