import type { CheckoutSession } from '../../domain/checkout-sessions.ts'
import type { PaymentSession } from '../../domain/payment-sessions.ts'

export type AnySession = CheckoutSession | PaymentSession

type Named = Pick<AnySession, 'id' | 'object'>

/** Paths of the pages below the configured checkout address; never taken from a request. */
export interface Links {
  /** The path the checkout address itself has, without a slash at its end. */
  readonly base: string
  readonly session: (session: Named) => string
  readonly done: (session: Named) => string
  /** The form again, with the outcome of one submission. */
  readonly attempt: (session: Named, nonce: string) => string
  readonly invoice: (invoice: string) => string
  readonly threeDSecure: (target: string) => string
  /** How the payment of an invoice ended that was confirmed in 3-D Secure. */
  readonly confirmed: (payment: string) => string
  readonly asset: (name: string) => string
}

/**
 * Links without a host: a page opened as `localhost` must post to `localhost`, or `form-action 'self'` stops it when the
 * checkout address says `127.0.0.1`.
 */
export function createLinks(checkoutUrl: string): Links {
  const base = new URL(checkoutUrl).pathname.replace(/\/+$/, '')
  const session = ({ object, id }: Named) =>
    `${base}/${object === 'checkout_session' ? 'checkout' : 'sessions'}/${id}`
  return {
    base,
    session,
    done: (of) => `${session(of)}/done`,
    attempt: (of, nonce) => `${session(of)}/attempts/${nonce}`,
    invoice: (invoice) => `${base}/invoices/${invoice}`,
    threeDSecure: (target) => `${base}/3ds/${target}`,
    confirmed: (payment) => `${base}/3ds/${payment}/done`,
    asset: (name) => `${base}/assets/${name}`,
  }
}
