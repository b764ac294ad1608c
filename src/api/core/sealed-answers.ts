import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import type { StoredAnswer } from '../../domain/idempotency.ts'

const CIPHER = 'aes-256-gcm'
const SECRET = /\b(?:whsec|pay[sr]k_test)_[0-9A-Za-z+/]/
const TAG_BYTES = 16
// Every cipher key is used once: it is made of the request's own id too.
const NONCE = Buffer.alloc(12)

/** Seals the body of an answer that shows a secret, so that only who knows the idempotency key can read it again. */
export function sealAnswer(answer: StoredAnswer, idempotencyKey: string): StoredAnswer {
  if (!SECRET.test(answer.body)) return answer
  const cipher = createCipheriv(CIPHER, cipherKey(answer, idempotencyKey), NONCE)
  const sealed = Buffer.concat([cipher.update(answer.body, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return { ...answer, body: sealed.toString('base64'), is_sealed: true }
}

/** The answer as it was before it was sealed; throws for another key than it was sealed with. */
export function openAnswer(answer: StoredAnswer, idempotencyKey: string): StoredAnswer {
  if (!answer.is_sealed) return answer
  const sealed = Buffer.from(answer.body, 'base64')
  const decipher = createDecipheriv(CIPHER, cipherKey(answer, idempotencyKey), NONCE, {
    authTagLength: TAG_BYTES,
  })
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const body = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
  return { ...answer, body: body.toString('utf8'), is_sealed: false }
}

function cipherKey({ request }: StoredAnswer, idempotencyKey: string): Buffer {
  return hash('sha256', `answer of ${request} to ${idempotencyKey}`, 'buffer')
}
