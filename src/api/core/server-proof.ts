import { createHmac } from 'node:crypto'

/** The request header of `/healthz` with a random challenge. */
export const CHALLENGE_HEADER = 'paycli-challenge'

/** The response header of `/healthz` with the proof for the challenge. */
export const PROOF_HEADER = 'paycli-proof'

/**
 * Returns the proof that a server knows its secret, an HMAC-SHA256 of the challenge; null for a malformed challenge.
 */
export function computeServerProof(secret: string, challenge: string): string | null {
  return /^[0-9a-f]{64}$/.test(challenge)
    ? createHmac('sha256', secret).update(challenge).digest('hex')
    : null
}
