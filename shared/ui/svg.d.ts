/** Pictures come into the bundle as text (esbuild's `text` loader). */
declare module '*.svg' {
  const text: string
  export default text
}
