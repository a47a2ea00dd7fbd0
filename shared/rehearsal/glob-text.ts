/** Whether a text fits a pattern in which `*` stands for anything. */
export function fitsGlob(pattern: string, text: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`))
    .join('.*')
  return new RegExp(`^${source}$`, 's').test(text)
}
