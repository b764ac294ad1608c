import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import type { StoredResponse } from '../../domain/requests/idempotency.ts'

const CIPHER = 'aes-256-gcm'
const SECRET = /\b(?:whsec|pay[sr]k_test)_[0-9A-Za-z+/]/
const TAG_BYTES = 16
// A fixed nonce is safe, because each cipher key is derived from a unique request id and used once.
const NONCE = Buffer.alloc(12)

/** Encrypts the body of a response that contains a secret, so that a replay requires the idempotency key. */
export function encryptSecretResponse(response: StoredResponse, idempotencyKey: string): StoredResponse {
  if (!SECRET.test(response.body)) return response
  const cipher = createCipheriv(CIPHER, cipherKey(response, idempotencyKey), NONCE)
  const encrypted = Buffer.concat([cipher.update(response.body, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return { ...response, body: encrypted.toString('base64'), is_sealed: true }
}

/** Returns the response with its original body; throws for a wrong idempotency key. */
export function decryptResponse(response: StoredResponse, idempotencyKey: string): StoredResponse {
  if (!response.is_sealed) return response
  const encrypted = Buffer.from(response.body, 'base64')
  const decipher = createDecipheriv(CIPHER, cipherKey(response, idempotencyKey), NONCE, {
    authTagLength: TAG_BYTES,
  })
  decipher.setAuthTag(encrypted.subarray(-TAG_BYTES))
  const body = Buffer.concat([decipher.update(encrypted.subarray(0, -TAG_BYTES)), decipher.final()])
  return { ...response, body: body.toString('utf8'), is_sealed: false }
}

function cipherKey({ request }: StoredResponse, idempotencyKey: string): Buffer {
  return hash('sha256', `answer of ${request} to ${idempotencyKey}`, 'buffer')
}
