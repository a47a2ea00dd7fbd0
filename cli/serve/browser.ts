import process from 'node:process'
import { run } from '../../shared/base/process.ts'
import { say, type Io } from '../io.ts'

/** The programs that open a link, by platform; the link is an argument of its own and no shell reads it. */
function openers(io: Io): readonly (readonly [string, readonly string[]])[] {
  if (process.platform === 'darwin') return [['open', []]]
  if (process.platform === 'win32') return [['rundll32', ['url.dll,FileProtocolHandler']]]
  // WSL has no display of its own; the browser is Windows'.
  const wsl = io.env['WSL_DISTRO_NAME'] !== undefined
  const display = io.env['DISPLAY'] ?? io.env['WAYLAND_DISPLAY']
  return [
    ...(wsl
      ? ([
          ['wslview', []],
          ['explorer.exe', []],
        ] as const)
      : []),
    ...(display === undefined || display === '' ? [] : ([['xdg-open', []]] as const)),
  ]
}

/** Whether there is a browser to open a link in. */
export function hasBrowser(io: Io): boolean {
  return openers(io).length > 0
}

/** Opens a link in the person's browser, or says that it has to be opened by hand. */
export async function openBrowser(link: string, io: Io): Promise<void> {
  for (const [program, words] of openers(io)) {
    const end = await run(program, [...words, link], { env: { ...io.env }, timeoutMs: 10_000, signal: io.signal })
    // Windows' explorer answers 1 when it did what it was asked.
    if (end.kind === 'exited' && (end.code === 0 || program === 'explorer.exe')) return
  }
  say(io, 'no browser could be opened from here; open the link yourself')
}
