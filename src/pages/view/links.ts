import type { AnySession } from '../../domain/any-session.ts'

type SessionReference = Pick<AnySession, 'id' | 'object'>

/** The first part of the path of each kind of session. */
export const SESSION_FOLDERS = {
  checkout_session: 'checkout',
  payment_session: 'sessions',
  card_session: 'cards',
} as const

/** Returns the paths of pages, based on the configured checkout URL and never on a request. */
export interface Links {
  /** The path of the checkout URL, without a trailing slash. */
  readonly base: string
  readonly session: (session: SessionReference) => string
  readonly done: (session: SessionReference) => string
  /** The form with the outcome of an earlier submission. */
  readonly attempt: (session: SessionReference, nonce: string) => string
  /** The logo of a session, by its file name. */
  readonly sessionLogo: (session: SessionReference, file: string) => string
  /** The logo of the server, by its file name. */
  readonly logo: (file: string) => string
  readonly invoice: (invoice: string) => string
  readonly threeDSecure: (target: string) => string
  /** The result page after the 3-D Secure confirmation of an invoice or API payment. */
  readonly confirmationResult: (payment: string) => string
}

/**
 * Creates links without a host. If the checkout URL is `127.0.0.1` and the page was opened as `localhost`, a link with a
 * host would violate `form-action 'self'`.
 */
export function createLinks(checkoutUrl: string): Links {
  const base = new URL(checkoutUrl).pathname.replace(/\/+$/, '')
  const session = ({ object, id }: SessionReference) => `${base}/${SESSION_FOLDERS[object]}/${id}`
  return {
    base,
    session,
    done: (reference) => `${session(reference)}/done`,
    attempt: (reference, nonce) => `${session(reference)}/attempts/${nonce}`,
    sessionLogo: (reference, file) => `${session(reference)}/logo/${file}`,
    logo: (file) => `${base}/brand/${file}`,
    invoice: (invoice) => `${base}/invoices/${invoice}`,
    threeDSecure: (target) => `${base}/3ds/${target}`,
    confirmationResult: (payment) => `${base}/3ds/${payment}/done`,
  }
}
