import { hash, timingSafeEqual } from 'node:crypto'
import { isFormExpired } from '../../domain/requests/used-form-tokens.ts'

/**
 * The contents of the token of a session form, an invoice form or a 3-D Secure form. `issuedAt` is real time in Unix
 * seconds.
 */
export interface FormTokenClaims {
  readonly sessionId: string
  readonly nonce: string
  readonly issuedAt: number
  /** A digest of the offer; absent for a 3-D Secure page, which has no offer. */
  readonly offer?: string
}

const TOKEN = /^([0-9A-Za-z_-]{1,64})\.(\d{1,12})(?:\.([0-9A-Za-z_-]{22}))?\.([0-9A-Za-z_-]{43})$/
const OFFER_CHARACTERS = 22

/** Returns the signed token of a form. The token is not stored until it is used. */
export function createFormToken(form: FormTokenClaims, formKey: string): string {
  const offer = form.offer === undefined ? '' : `.${form.offer}`
  return `${form.nonce}.${form.issuedAt}${offer}.${sign(form, formKey)}`
}

/** Returns the digest of the offer of a form, for its token. */
export function digestOffer(offer: string): string {
  return hash('sha3-256', offer, 'base64url').slice(0, OFFER_CHARACTERS)
}

/** Returns the contents of a token; null when the token is missing, forged, for another session or older than a day. */
export function verifyFormToken(
  token: string | undefined,
  { sessionId, now }: { readonly sessionId: string; readonly now: number },
  formKey: string,
): FormTokenClaims | null {
  const [, nonce = '', issued = '', offer, signature = ''] = TOKEN.exec(token ?? '') ?? []
  if (nonce === '') return null
  const form: FormTokenClaims = {
    sessionId,
    nonce,
    issuedAt: Number(issued),
    ...(offer !== undefined && { offer }),
  }
  // Both signatures have 43 characters, and timingSafeEqual requires equal lengths.
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(form, formKey)))) return null
  return isFormExpired(form.issuedAt, now) ? null : form
}

// SHA-3 needs no HMAC, because it is not vulnerable to length extension. Creating an HMAC object takes twice as long.
function sign({ sessionId, nonce, issuedAt, offer = '' }: FormTokenClaims, formKey: string): string {
  return hash('sha3-256', `${formKey} form ${sessionId} ${nonce} ${issuedAt} ${offer}`, 'base64url')
}
