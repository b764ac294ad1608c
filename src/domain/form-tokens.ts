import { type Creation, creation } from './changes.ts'

/** What a submitted form led to, so that the same form sent twice shows the same outcome and does nothing twice. */
export type FormOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'authenticate'; readonly target: string }
  | { readonly kind: 'processing' }
  | {
      readonly kind: 'refused'
      readonly code: string
      readonly message: string
      /** Left out for a number of no test card: nothing of it is kept. */
      readonly last4?: string
    }

/** A form token that was used up; private. Unused tokens are only signed, never stored. */
export interface FormToken {
  readonly id: string
  readonly object: 'form_token'
  /** The id of the session or the invoice that the form acted on. */
  readonly subject: string
  readonly outcome: FormOutcome
  readonly used_at: number
}

const FORM_LIFETIME_SECONDS = 86_400

/**
 * Whether a form is too old to be sent at a moment of wall time, both in Unix seconds. A use is forgotten by the same
 * measure: it comes after the form was made, so no form is good for longer than its use is known.
 */
export function isFormTooOld(madeAt: number, now: number): boolean {
  return now - madeAt > FORM_LIFETIME_SECONDS
}

/** Uses up a token for good. */
export function useFormToken(token: Omit<FormToken, 'object'>): Creation<FormToken> {
  return creation(null, { ...token, object: 'form_token' })
}
