import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { DomainError, ValidationError } from '../../domain/domain-error.ts'
import type { FormOutcome } from '../../domain/form-tokens.ts'
import { type KeptFields, NOTHING_KEPT } from './entered-card.ts'

/** Why a form that was sent is shown again. */
export type Reason =
  | { readonly why: 'unverified' | 'faulty' | 'unchosen' | 'unused' }
  | { readonly why: 'declined'; readonly code: string; readonly message: string; readonly last4?: string }
  /** `until` is in Unix seconds, on the time of what is paid. */
  | { readonly why: 'too_many_declines'; readonly until: number }

/** A form that is shown again: why, what is wrong with its fields, and what may stay in them. */
export interface Resumed {
  readonly reason: Reason
  readonly problems?: readonly ValidationError[]
  readonly kept?: KeptFields
}

/** How a form is shown again whose card was declined. */
export function resumedAfterDecline(
  { code, message, last4 }: Extract<FormOutcome, { readonly kind: 'refused' }>,
  kept: KeptFields = NOTHING_KEPT,
): Resumed {
  return { reason: { why: 'declined', code, message, ...(last4 !== undefined && { last4 }) }, kept }
}

/** How a form is shown again that was refused at `now`, on the time of what is paid; null when no form mends it. */
export function resumedAfter(
  { code, message, details }: DomainError,
  { kept, now }: { readonly kept: KeptFields; readonly now: number },
): Resumed | null {
  const { errors, decline_code, retryAfterSeconds, advanceSeconds = 0 } = details
  if (errors !== undefined) return { reason: { why: 'faulty' }, problems: errors, kept }
  if (code === 'card_decline_rate_limit_exceeded') {
    return { reason: { why: 'too_many_declines', until: now + (retryAfterSeconds ?? advanceSeconds) } }
  }
  return decline_code === undefined ? null : { reason: { why: 'declined', code, message }, kept }
}

/** For how many more seconds no cards are tried after `now`; 0 when they are. */
export function pauseOf(resumed: Resumed | null, now: number): number {
  return resumed?.reason.why === 'too_many_declines' ? Math.max(0, resumed.reason.until - now) : 0
}

/** The page that is shown again, by its path, and the moment of wall time it was sent at, in Unix seconds. */
interface Sending {
  readonly path: string
  readonly nonce: string
  readonly sentAt: number
}

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16
/** Whoever is given the address later, with the name and the expiry of a card in it, sees the form as it is for all. */
const SHOWN_SECONDS = 900
const IV_BYTES = 12
const SEALED = /^([0-9A-Za-z]{1,64})\.(\d{1,12})\.([0-9A-Za-z_-]{38,8192})$/

/**
 * What a redirect takes along in the address of a page, so that nothing about it need be stored: neither readable nor
 * forgeable, since whoever made such a text could put words of their own above a form that asks for a card.
 */
export function sealResumed(resumed: Resumed, sending: Sending, formKey: string): string {
  const text = JSON.stringify(resumed)
  const key = cipherKey(sending, formKey)
  // One form may be sent twice in a second, and then the same key seals two texts: each must have a vector of its own.
  const iv = createHmac('sha256', key).update(text).digest().subarray(0, IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv)
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${sending.nonce}.${sending.sentAt}.${sealed.toString('base64url')}`
}

/** What was sealed for that page; null when it is missing, forged, of another page or older than a quarter of an hour. */
export function openResumed(
  sealed: string | null,
  { path, now }: { readonly path: string; readonly now: number },
  formKey: string,
): Resumed | null {
  const [, nonce, sentAt, text = ''] = SEALED.exec(sealed ?? '') ?? []
  if (nonce === undefined || now - Number(sentAt) > SHOWN_SECONDS) return null
  const key = cipherKey({ path, nonce, sentAt: Number(sentAt) }, formKey)
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  try {
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const opened = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
    return JSON.parse(opened.toString('utf8')) as Resumed
  } catch {
    return null
  }
}

function cipherKey({ path, nonce, sentAt }: Sending, formKey: string): Buffer {
  return createHmac('sha256', formKey).update(`again ${path} ${nonce} ${sentAt}`).digest()
}
