import { type KeyObject, verify } from 'node:crypto'

/** One question to OpenSSL: is this signature, in the algorithm's own numbers, over this data by this key? */
export type CryptoCheck = {
  /** Undefined where the algorithm hashes by itself (EdDSA). */
  readonly hash?: string
  readonly data: Uint8Array
  readonly key: KeyObject
  /** ECDSA and DSA: r and s side by side, each as long as the group's order. */
  readonly signature: Uint8Array
}

/** Asks in a thread of libuv's pool: many checks at once use every core, and the event loop stays free. Never throws. */
export function passes(check: CryptoCheck): Promise<boolean> {
  const { hash, data, signature } = check
  return new Promise((resolve) => {
    try {
      verify(hash, data, keyOf(check), signature, (error, sound) => {
        resolve(error === null && sound)
      })
    } catch {
      resolve(false)
    }
  })
}

/** Asks here and now, for what is read once and in passing (certificates in a file of keys). */
export function passesNow(check: CryptoCheck): boolean {
  try {
    return verify(check.hash, check.data, keyOf(check), check.signature)
  } catch {
    return false
  }
}

function keyOf({ key }: CryptoCheck) {
  const type = key.asymmetricKeyType
  return type === 'ec' || type === 'dsa' ? { key, dsaEncoding: 'ieee-p1363' as const } : key
}

/** A number as long as a group's order or a modulus; undefined where it does not fit. */
export function leftPad(value: Uint8Array | undefined, size: number): Buffer | undefined {
  if (value === undefined || value.length > size) return undefined
  return Buffer.concat([Buffer.alloc(size - value.length), value])
}
