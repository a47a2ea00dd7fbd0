/** Writes `panel.js`, `window.js`, `index.html` and `icon.svg` into a folder. */
export function buildUi(outdir: string): Promise<void>
