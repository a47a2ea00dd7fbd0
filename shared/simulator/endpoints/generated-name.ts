const alphabet = 'bcdfghjklmnpqrstvwxz2456789'
const suffixLength = 5
const longestBase = 63 - suffixLength

/** A name made of `metadata.generateName`: a random suffix, without vowels and look-alikes (apiserver, storage/names). */
export function generatedName(base: string): string {
  let suffix = ''
  for (const byte of crypto.getRandomValues(new Uint8Array(suffixLength))) suffix += alphabet[byte % alphabet.length]
  return base.slice(0, longestBase) + suffix
}
