import type { VerifierPort } from '../model/ports.ts'

/** Where no project states a signature policy, no commit is judged. */
export const noPolicy: VerifierPort = { judge: async () => undefined }
