import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { DomainError, ValidationError } from '../../domain/core/domain-error.ts'
import type { FormOutcome } from '../../domain/requests/used-form-tokens.ts'
import { EMPTY_FIELDS, type PrefilledFields } from './posted-form.ts'

/** The reason why a submitted form is shown again. */
export type RedisplayReason =
  | { readonly why: 'unverified' | 'faulty' | 'unchosen' | 'unused' | 'changed' | 'code' | 'discount' }
  | { readonly why: 'declined'; readonly code: string; readonly message: string; readonly last4?: string }
  /** `until` is a time of the session or invoice, in Unix seconds. */
  | { readonly why: 'too_many_declines'; readonly until: number }

/** A submitted form that is shown again, with its errors and prefilled fields. */
export interface RedisplayedForm {
  readonly reason: RedisplayReason
  readonly errors?: readonly ValidationError[]
  readonly prefilled?: PrefilledFields
}

/** Returns the form to show again after a decline. */
export function createFormAfterDecline(
  { code, message, last4 }: Extract<FormOutcome, { readonly kind: 'declined' }>,
  prefilled: PrefilledFields = EMPTY_FIELDS,
): RedisplayedForm {
  return { reason: { why: 'declined', code, message, ...(last4 !== undefined && { last4 }) }, prefilled }
}

/**
 * Returns the form to show again after an error; null when the customer cannot correct the error. `now` is the time of
 * the session or invoice in Unix seconds.
 */
export function createFormAfterError(
  { code, message, details }: DomainError,
  prefilled: PrefilledFields,
  now: number,
): RedisplayedForm | null {
  const { errors, decline_code, retryAfterSeconds, advanceSeconds = 0 } = details
  if (errors !== undefined) return { reason: { why: 'faulty' }, errors, prefilled }
  if (code === 'card_decline_rate_limit_exceeded') {
    return { reason: { why: 'too_many_declines', until: now + (retryAfterSeconds ?? advanceSeconds) } }
  }
  return decline_code === undefined ? null : { reason: { why: 'declined', code, message }, prefilled }
}

/** Returns the number of seconds after `now` during which no card is accepted; 0 if cards are accepted. */
export function getDeclineWaitSeconds(resumed: RedisplayedForm | null, now: number): number {
  return resumed?.reason.why === 'too_many_declines' ? Math.max(0, resumed.reason.until - now) : 0
}

/** The redirect whose URL contains a form that is shown again. `sentAt` is real time in Unix seconds. */
interface FormRedirect {
  readonly path: string
  readonly nonce: string
  readonly sentAt: number
}

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16
/** The URL contains the cardholder name and expiry, so the URL expires in case the customer shares it. */
const MAX_AGE_SECONDS = 900
const IV_BYTES = 12
const ENCRYPTED = /^([0-9A-Za-z]{1,64})\.(\d{1,12})\.([0-9A-Za-z_-]{38,8192})$/

/**
 * Encrypts a resumed form for the query of a redirect, so that the server stores nothing. Encryption also prevents
 * forgery: otherwise, an attacker could show a text of their choice above a card form.
 */
export function encryptRedisplayedForm(
  resumed: RedisplayedForm,
  redirect: FormRedirect,
  formKey: string,
): string {
  const text = JSON.stringify(resumed)
  const key = deriveKey(redirect, formKey)
  // The initialization vector is derived from the text, so that two texts with the same key have different vectors.
  const iv = createHmac('sha256', key).update(text).digest().subarray(0, IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv)
  const encrypted = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${redirect.nonce}.${redirect.sentAt}.${encrypted.toString('base64url')}`
}

/** Decrypts the form to show again; null for a missing or forged form, another page, or more than 15 minutes. */
export function decryptRedisplayedForm(
  encrypted: string | null,
  { path, now }: { readonly path: string; readonly now: number },
  formKey: string,
): RedisplayedForm | null {
  const [, nonce, sentAt, text = ''] = ENCRYPTED.exec(encrypted ?? '') ?? []
  if (nonce === undefined || now - Number(sentAt) > MAX_AGE_SECONDS) return null
  const key = deriveKey({ path, nonce, sentAt: Number(sentAt) }, formKey)
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  try {
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const decrypted = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
    return JSON.parse(decrypted.toString('utf8')) as RedisplayedForm
  } catch {
    return null
  }
}

function deriveKey({ path, nonce, sentAt }: FormRedirect, formKey: string): Buffer {
  return createHmac('sha256', formKey).update(`again ${path} ${nonce} ${sentAt}`).digest()
}
