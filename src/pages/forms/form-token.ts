import { hash, timingSafeEqual } from 'node:crypto'
import { isFormExpired } from '../../domain/form-tokens.ts'

/** A rendered form of a session, an invoice or a 3-D Secure page. `issuedAt` is real time in Unix seconds. */
export interface RenderedForm {
  readonly sessionId: string
  readonly nonce: string
  readonly issuedAt: number
}

const TOKEN = /^([0-9A-Za-z_-]{1,64})\.(\d{1,12})\.([0-9A-Za-z_-]{43})$/

/** Returns the signed token of a form. The token is stored only once it is used. */
export function createFormToken(form: RenderedForm, formKey: string): string {
  return `${form.nonce}.${form.issuedAt}.${sign(form, formKey)}`
}

/** Returns the form of a token; null when it is missing, forged, for another session or older than a day. */
export function readFormToken(
  token: string | undefined,
  { sessionId, now }: { readonly sessionId: string; readonly now: number },
  formKey: string,
): RenderedForm | null {
  const [, nonce = '', issued = '', signature = ''] = TOKEN.exec(token ?? '') ?? []
  if (nonce === '') return null
  const form: RenderedForm = { sessionId, nonce, issuedAt: Number(issued) }
  // Both have 43 characters.
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(form, formKey)))) return null
  return isFormExpired(form.issuedAt, now) ? null : form
}

// SHA-3 needs no HMAC: nobody can extend a text whose digest they know. Creating an HMAC object takes twice as long.
function sign({ sessionId, nonce, issuedAt }: RenderedForm, formKey: string): string {
  return hash('sha3-256', `${formKey} form ${sessionId} ${nonce} ${issuedAt}`, 'base64url')
}
