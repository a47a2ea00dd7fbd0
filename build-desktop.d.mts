/** Writes everything that Electron runs into a folder; the page's files lie in `ui` below it. */
export function buildDesktop(outdir: string): Promise<void>
