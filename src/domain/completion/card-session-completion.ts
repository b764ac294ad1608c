import type { InvoiceActionRecords } from '../billing/billing-cycle.ts'
import { BillingUnitOfWork } from '../billing/billing-unit-of-work.ts'
import { chargeInvoice } from '../billing/charge-invoice.ts'
import { type Subscription, setDefaultCard } from '../billing/subscriptions.ts'
import type { Change, RuleContext } from '../core/changes.ts'
import type { Customer } from '../payments/customers.ts'
import { attachPaymentMethod, type CardDetails } from '../payments/payment-methods.ts'
import { completeSession } from '../sessions/sessions.ts'
import { type CardSession, isSubscriptionCardReplaced } from './card-sessions.ts'

/** The records that the new card of a card session affects. */
export interface CardUpdateRecords {
  /** The subscriptions that charge the card after the update, oldest first. */
  readonly subscriptions: readonly Subscription[]
  /** The open invoices that the card pays now, in the order of their periods. */
  readonly invoices: readonly InvoiceActionRecords[]
}

export interface CompleteCardSessionOptions extends CardUpdateRecords {
  readonly session: CardSession
  readonly customer: Customer
  readonly card: CardDetails
  readonly name: string | null
  /** Whether the cardholder has just passed 3-D Secure, so that the charges require no further authentication. */
  readonly isAuthenticated: boolean
}

/**
 * Completes a card session. The changes are in event order: saved card, customer, subscriptions, the payments of open
 * invoices, and last `card_session.completed`. The card stays saved when its issuer declines an invoice.
 */
export function completeCardSession(
  options: CompleteCardSessionOptions,
  context: RuleContext,
): { readonly changes: Change[]; readonly result: CardSession } {
  const { session, customer, card, name, subscriptions, isAuthenticated } = options
  const isDefault = session.use_for !== 'subscription'
  const id = context.newId('pm_')
  const attached = attachPaymentMethod({ id, customer, card, name, isDefault }, context)
  const changes: Change[] = [
    ...attached.changes,
    ...subscriptions
      .filter((subscription) => isSubscriptionCardReplaced(session, subscription))
      .map((subscription) => setDefaultCard(subscription, id)),
  ]
  const attempt = { card: attached.result, isAutomatic: false, isOffSession: false, isAuthenticated }
  for (const { account, invoice, history } of options.invoices) {
    const billing = new BillingUnitOfWork(account, context, changes)
    chargeInvoice(billing, { ...attempt, invoice, history })
    changes.push(...billing.changes)
  }
  const completed = completeSession(session, { payment_method: id }, context)
  return { changes: [...changes, completed], result: completed.after }
}
