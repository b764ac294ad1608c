import { createHmac, timingSafeEqual } from 'node:crypto'
import { isFormTooOld } from '../../domain/form-tokens.ts'

/** One rendered form: for a session (or the target of a 3-D Secure page), at a moment of wall time in Unix seconds. */
export interface RenderedForm {
  readonly sessionId: string
  readonly nonce: string
  readonly issuedAt: number
}

const TOKEN = /^([0-9A-Za-z_-]{1,64})\.(\d{1,12})\.([0-9A-Za-z_-]{43})$/

/** The token of a form: its nonce and time, signed for one session. Nothing is stored until it is used. */
export function createFormToken(form: RenderedForm, formKey: string): string {
  return `${form.nonce}.${form.issuedAt}.${sign(form, formKey).toString('base64url')}`
}

/** The form a token was made for; null when it is missing, forged, of another session or over a day old. */
export function readFormToken(
  token: string | undefined,
  { sessionId, now }: { readonly sessionId: string; readonly now: number },
  formKey: string,
): RenderedForm | null {
  const [, nonce = '', issued = '', signature = ''] = TOKEN.exec(token ?? '') ?? []
  if (nonce === '') return null
  const form: RenderedForm = { sessionId, nonce, issuedAt: Number(issued) }
  const given = Buffer.from(signature, 'base64url')
  const wanted = sign(form, formKey)
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null
  return isFormTooOld(form.issuedAt, now) ? null : form
}

function sign({ sessionId, nonce, issuedAt }: RenderedForm, formKey: string): Buffer {
  return createHmac('sha256', formKey).update(`form ${sessionId} ${nonce} ${issuedAt}`).digest()
}
