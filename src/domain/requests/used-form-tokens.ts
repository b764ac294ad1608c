import { type Creation, toCreation } from '../core/changes.ts'

/** The outcome of a submitted form. Submitting the form again shows the same outcome and changes nothing. */
export type FormOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'authenticate'; readonly target: string }
  | { readonly kind: 'processing' }
  /** The form created a session, and the browser continues on its page. */
  | { readonly kind: 'continue'; readonly session: string }
  | {
      readonly kind: 'declined'
      readonly code: string
      readonly message: string
      /**
       * The last four digits of the entered number; absent unless the number is a test card, so that no real card data
       * is stored.
       */
      readonly last4?: string
    }

/** Internal record: a used form token. Unused tokens are only signed, never stored. */
export interface UsedFormToken {
  readonly id: string
  readonly object: 'form_token'
  /** The id of the session or invoice of the form. */
  readonly subject: string
  readonly outcome: FormOutcome
  readonly used_at: number
}

const FORM_LIFETIME_SECONDS = 86_400

/**
 * Returns whether a form is expired at `now`; both times are in Unix seconds of wall time. Used tokens are deleted at
 * the same age, counted from their use, so no token can be used twice.
 */
export function isFormExpired(madeAt: number, now: number): boolean {
  return now - madeAt > FORM_LIFETIME_SECONDS
}

/** Marks a token as used. */
export function consumeFormToken(token: Omit<UsedFormToken, 'object'>): Creation<UsedFormToken> {
  return toCreation(null, { ...token, object: 'form_token' })
}
