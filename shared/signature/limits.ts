/** Bounds on what a repository or a key file may make us do. Real signatures are under 5 KB, real commits under 100 KB. */
export const limits = {
  /** A commit or tag object, bytes. */
  object: 16 * 1024 * 1024,
  /** Headers of a commit or tag; an octopus merge of 60 branches has some 130. */
  headers: 2048,
  /** An armored signature, bytes. */
  signature: 64 * 1024,
  /** One file of keys, bytes. */
  keyFile: 8 * 1024 * 1024,
  /** OpenSSL's and OpenSSH's own bound on a modulus, bits. */
  rsaBits: 16_384,
  /** OpenSSH's RequiredRSASize and the smallest that gpg makes, bits. */
  rsaMinBits: 1024,
  /** OpenSSL refuses longer exponents on large moduli: a long one makes a verification as dear as a signature. */
  rsaExponentBits: 64,
  /** DSA's prime, bits: FIPS 186-4 ends at 3072. */
  dsaBits: 3072,
  /** Principals in one SSH certificate (OpenSSH's SSHKEY_CERT_MAX_PRINCIPALS). */
  principals: 256,
} as const
