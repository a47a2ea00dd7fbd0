/** Closes a switch over a union: a member added later no longer compiles. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}
