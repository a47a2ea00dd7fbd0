import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** One file of the window, ready to send. */
export type Asset = { readonly type: string; readonly bytes: Buffer }

/** What the window is made of. Anything else is not sent, whatever lies in the folder. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
}

/**
 * The files of a folder by their URL path, read once. A request names a key of this table or nothing: no path is ever made of
 * what a request says, so there is none to climb out by.
 */
export async function readAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const names = await readdir(folder, { recursive: true, encoding: 'utf8' })
  const known = names.filter((name) => TYPES[path.extname(name)] !== undefined)
  const entries = known.map(async (name): Promise<readonly [string, Asset]> => {
    const type = TYPES[path.extname(name)] ?? ''
    return [`/${name.split(path.sep).join('/')}`, { type, bytes: await readFile(path.join(folder, name)) }]
  })
  return new Map(await Promise.all(entries))
}
