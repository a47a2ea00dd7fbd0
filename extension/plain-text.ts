/** Text of a pod for a terminal: without the control characters that would move it, colour it, or answer for the person. */
export function plainText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is taken out
  return text.replaceAll(/\u001B\[[0-9;]*m/g, '').replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, '')
}
