import { api } from '../../src/api/api.ts'
import type { ParamsOf } from '../../src/api/core/operation.ts'
import type { Invoice } from '../../src/domain/billing/invoices.ts'
import type { Subscription } from '../../src/domain/billing/subscriptions.ts'
import { findCardByAlias } from '../../src/domain/cards/test-cards.ts'
import { attachPaymentMethod, type PaymentMethod } from '../../src/domain/payments/payment-methods.ts'
import { commit } from '../../src/engine/commit.ts'
import { getTimeReference } from '../../src/engine/time-reference.ts'
import { liveCustomer, newCheckout, newCustomer } from './samples.ts'
import type { Sandbox } from './sandbox.ts'

type Terms = ParamsOf<typeof api.checkoutSessions.create>['subscription_data']

/** Options of a subscription (default: monthly rent in EUR, paid with the `visa` test card). */
export interface Order extends Partial<Terms> {
  readonly customer?: string
  readonly currency?: string
  /** The alias of a test card that can be saved, or of a test IBAN. */
  readonly card?: string
}

/** Creates a subscription by completing a checkout session; 3-D Secure is approved. */
export async function subscribe(sandbox: Sandbox, order: Order = {}): Promise<Subscription> {
  const { customer, currency, card = 'visa', ...terms } = order
  const fields = {
    ...(customer && { customer }),
    ...(currency && { currency }),
    ...(card.startsWith('sepa_debit') && { payment_method_types: ['card', 'sepa_debit'] as const }),
  }
  const { id } = await newCheckout(sandbox, terms, fields)
  const isSent = terms.collection_method === 'send_invoice'
  const paid = isSent ? { id } : { id, test_card: card }
  const session = await sandbox.call(api.checkoutSessions.complete, paid)
  if (session.object !== 'checkout_session') throw new Error(`${id} is no checkout session`)
  return sandbox.call(api.subscriptions.retrieve, { id: session.subscription ?? '' })
}

/** A test card by its alias, including cards that are declined when saved, with its expiry (default: December 2040). */
interface GivenCard {
  readonly alias: string
  readonly exp_month?: number
  readonly exp_year?: number
}

/** Creates a customer with a saved card and returns their ids. */
export async function newCustomerWithCard(sandbox: Sandbox, given: string | GivenCard = 'visa') {
  const { id: customer } = await newCustomer(sandbox)
  return { customer, card: (await saveCard(sandbox, customer, given)).id }
}

/** Saves a card to a customer; only the first card becomes the default. */
export async function saveCard(
  sandbox: Sandbox,
  customerId: string,
  given: string | GivenCard,
): Promise<PaymentMethod> {
  const { alias, ...expiry } = typeof given === 'string' ? { alias: given } : given
  const known = findCardByAlias(alias)
  if (known === undefined) throw new Error(`no test card is called ${alias}`)
  const { number, brand, funding, country, test_behavior } = known
  return commit(sandbox.runtime, {
    request: null,
    load: () => liveCustomer(sandbox, customerId),
    when: getTimeReference,
    decide: (customer, context) => {
      const look = {
        brand,
        funding,
        country,
        test_behavior,
        wallet: null,
        fingerprint: context.fingerprint(number),
      }
      const card = { last4: number.slice(-4), exp_month: 12, exp_year: 2040, ...look, ...expiry }
      return attachPaymentMethod({ id: context.newId('pm_'), customer, card, name: null }, context)
    },
  })
}

/** Returns the invoices of a subscription, oldest first. */
export async function invoicesOf(sandbox: Sandbox, subscription: string): Promise<Invoice[]> {
  const { data } = await sandbox.call(api.invoices.list, { subscription, limit: 100 })
  return [...data].reverse()
}

/** Returns the oldest invoice of a subscription in one of these states. */
export async function invoiceIn(
  sandbox: Sandbox,
  subscription: string,
  states: readonly Invoice['status'][],
): Promise<Invoice> {
  const found = (await invoicesOf(sandbox, subscription)).find(({ status }) => states.includes(status))
  if (found === undefined) throw new Error(`${subscription} has no invoice that is ${states.join(' or ')}`)
  return found
}

/** Advances time to the start of a pending subscription, or to the end of the current period. */
export async function toNextPeriod(sandbox: Sandbox, subscription: string): Promise<void> {
  const { start_date, current_period_end } = await sandbox.call(api.subscriptions.retrieve, {
    id: subscription,
  })
  await sandbox.moveTo(Math.max(current_period_end ?? start_date, sandbox.now()))
}
