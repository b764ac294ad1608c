import { checkoutSessions } from '../../api/operations/checkout-sessions.ts'
import { customers } from '../../api/operations/customers.ts'
import { invoices } from '../../api/operations/invoices.ts'
import { paymentMethods } from '../../api/operations/payment-methods.ts'
import { paymentSessions } from '../../api/operations/payment-sessions.ts'
import { subscriptions } from '../../api/operations/subscriptions.ts'
import { testClocks } from '../../api/operations/test-clocks.ts'
import type { EventType } from '../../domain/event-types.ts'
import { ignoreDecline, type TriggerContext } from './trigger-context.ts'
import {
  cancelPayment,
  createRefund,
  exhaust,
  incrementTriggers,
  renew,
  startLater,
} from './trigger-steps.ts'

/** The operations that cause an event. */
export interface TriggerRecipe {
  /** What the trigger does, for `paycli trigger --list`. */
  readonly how: string
  /** The names of the objects that `--id` can name in place of a new one. */
  readonly accepts: readonly string[]
  /** The names of the objects that it creates, in order; their parameters can be changed. */
  readonly makes: readonly string[]
  readonly run: (context: TriggerContext) => Promise<unknown>
}

function recipe(
  options: { readonly [K in 'accepts' | 'makes']: string } & Pick<TriggerRecipe, 'how' | 'run'>,
): TriggerRecipe {
  const words = (text: string) => text.split(' ').filter((word) => word !== '')
  return { ...options, accepts: words(options.accepts), makes: words(options.makes) }
}

const OWNER = 'customer test_clock'
const CHECKOUT = { accepts: `${OWNER} checkout_session`, makes: 'test_clock customer checkout_session' }
const PAYMENT = { accepts: `${OWNER} payment_session`, makes: 'test_clock customer payment_session' }
const RENEWAL = { ...CHECKOUT, accepts: OWNER }
const INVOICE = { ...CHECKOUT, accepts: `${OWNER} invoice` }
const REFUND = { accepts: `${PAYMENT.accepts} payment`, makes: `${PAYMENT.makes} refund` }
const LATER_REFUND = { ...REFUND, accepts: PAYMENT.accepts }
const CLOCK = { accepts: 'test_clock', makes: 'test_clock' }

/** The recipe of each event type. */
export const RECIPES: { readonly [T in EventType]: TriggerRecipe } = {
  'customer.created': recipe({
    accepts: 'test_clock',
    makes: 'test_clock customer',
    how: 'creates a customer',
    run: (context) => context.customer(),
  }),
  'customer.updated': recipe({
    accepts: OWNER,
    makes: 'test_clock customer',
    how: 'updates the metadata of a customer',
    run: async (context) => {
      const { id, metadata } = await context.customer()
      return context.client.call(customers.update, { id, metadata: incrementTriggers(metadata) })
    },
  }),
  'customer.deleted': recipe({
    accepts: OWNER,
    makes: 'test_clock customer',
    how: 'deletes a customer',
    run: async (context) => context.client.call(customers.delete, { id: (await context.customer()).id }),
  }),

  'checkout_session.created': recipe({
    ...RENEWAL,
    how: 'creates a checkout session',
    run: (context) => context.checkoutSession(),
  }),
  'checkout_session.completed': checkoutCompleted('completes a checkout session'),
  'checkout_session.expired': recipe({
    ...CHECKOUT,
    how: 'expires a checkout session',
    run: async (context) =>
      context.client.call(checkoutSessions.expire, { id: (await context.checkoutSession()).id }),
  }),

  'payment_session.created': recipe({
    ...PAYMENT,
    accepts: OWNER,
    how: 'creates a payment session',
    run: (context) => context.paymentSession(),
  }),
  'payment_session.completed': paymentSessionPaid('completes a payment session'),
  'payment_session.expired': recipe({
    ...PAYMENT,
    how: 'expires a payment session',
    run: async (context) =>
      context.client.call(paymentSessions.expire, { id: (await context.paymentSession()).id }),
  }),

  'payment_method.attached': checkoutCompleted('completes a checkout session, which saves the card'),
  'payment_method.detached': recipe({
    ...CHECKOUT,
    accepts: `${CHECKOUT.accepts} payment_method`,
    how: 'detaches a saved card',
    run: async (context) => context.client.call(paymentMethods.detach, { id: await context.card() }),
  }),

  'payment.created': paymentSessionPaid('pays a payment session'),
  'payment.requires_action': recipe({
    ...PAYMENT,
    how: 'pays with a card that requires 3-D Secure',
    run: (context) => context.payment('sca_required'),
  }),
  'payment.succeeded': paymentSessionPaid('pays a payment session'),
  'payment.failed': recipe({
    ...PAYMENT,
    how: 'pays with a card that is declined',
    run: (context) => ignoreDecline(context.payment('declined')),
  }),
  'payment.canceled': recipe({
    ...RENEWAL,
    how: 'voids an invoice while its payment requires 3-D Secure',
    run: cancelPayment,
  }),
  'payment.refunded': paymentRefunded('refunds a payment'),
  'payment.updated': refundedLater('refund_fails', 'refunds a payment; the refund fails an hour later'),

  'subscription.created': checkoutCompleted('completes a checkout session'),
  'subscription.started': recipe({
    ...RENEWAL,
    how: 'creates a subscription that starts in a week and advances its clock to the start',
    run: startLater,
  }),
  'subscription.renewed': recipe({
    ...RENEWAL,
    accepts: `${OWNER} subscription`,
    how: 'advances the clock of a subscription to the end of its period',
    run: async (context) => renew(context, await context.subscription({ isOnClock: true })),
  }),
  'subscription.past_due': subscriptionRenewed('renewal_no_funds', 'renews with a card that is declined'),
  'subscription.unpaid': recipe({
    ...RENEWAL,
    how: 'renews with a failing card until retries are exhausted; requires paycli serve --on-exhausted unpaid',
    run: exhaust,
  }),
  'subscription.recovered': recipe({
    ...RENEWAL,
    how: 'renews with a card that is declined, then marks the invoice paid',
    run: async (context) => {
      const subscription = await context.subscription({ card: 'renewal_no_funds', isOnClock: true })
      await renew(context, subscription)
      const { id } = await context.latestInvoice(subscription)
      return context.client.call(invoices.pay, { id, paid_out_of_band: true })
    },
  }),
  'subscription.updated': recipe({
    ...CHECKOUT,
    accepts: `${CHECKOUT.accepts} subscription`,
    how: 'updates the metadata of a subscription',
    run: async (context) => {
      const { id, metadata } = await context.subscription()
      return context.client.call(subscriptions.update, { id, metadata: incrementTriggers(metadata) })
    },
  }),
  'subscription.canceled': recipe({
    ...CHECKOUT,
    accepts: `${CHECKOUT.accepts} subscription`,
    how: 'cancels a subscription',
    run: async (context) =>
      context.client.call(subscriptions.cancel, { id: (await context.subscription()).id }),
  }),

  'invoice.created': checkoutCompleted('completes a checkout session'),
  'invoice.finalized': checkoutCompleted('completes a checkout session'),
  'invoice.sent': recipe({
    ...RENEWAL,
    how: 'completes a checkout session whose invoices are sent',
    run: (context) => context.openInvoice(),
  }),
  'invoice.overdue': recipe({
    ...RENEWAL,
    how: 'sends an invoice that is due in a day and advances its clock past the due date',
    run: async (context) => {
      const invoice = await context.openInvoice({ isOnClock: true, data: { days_until_due: 1 } })
      return context.advance(invoice, { by: { interval: 'day', count: 2 } })
    },
  }),
  'invoice.paid': recipe({
    ...INVOICE,
    how: 'marks an open invoice paid out of band',
    run: async (context) =>
      context.client.call(invoices.pay, { id: (await context.openInvoice()).id, paid_out_of_band: true }),
  }),
  'invoice.payment_failed': subscriptionRenewed('renewal_no_funds', 'renews with a card that is declined'),
  'invoice.payment_action_required': subscriptionRenewed(
    'renewal_sca',
    'renews with a card that requires authentication',
  ),
  'invoice.voided': recipe({
    ...INVOICE,
    how: 'voids an open invoice',
    run: async (context) => context.client.call(invoices.void, { id: (await context.openInvoice()).id }),
  }),
  'invoice.marked_uncollectible': recipe({
    ...INVOICE,
    how: 'marks an open invoice uncollectible',
    run: async (context) =>
      context.client.call(invoices.markUncollectible, { id: (await context.openInvoice()).id }),
  }),
  'invoice.updated': recipe({
    ...RENEWAL,
    how: 'cancels a subscription that has an open invoice',
    run: async (context) => {
      const { id } = await context.subscription({ data: { collection_method: 'send_invoice' } })
      return context.client.call(subscriptions.cancel, { id })
    },
  }),

  'refund.created': paymentRefunded('refunds a payment'),
  'refund.updated': refundedLater('refund_async', 'refunds a payment; the refund succeeds an hour later'),
  'refund.failed': refundedLater('refund_fails', 'refunds a payment; the refund fails an hour later'),

  'test_clock.created': recipe({
    accepts: '',
    makes: 'test_clock',
    how: 'creates a test clock',
    run: (context) => context.testClock(),
  }),
  'test_clock.advancing': clockAdvanced(),
  'test_clock.ready': clockAdvanced(),
  'test_clock.internal_failure': recipe({
    ...CLOCK,
    how: 'simulates an internal failure of a test clock',
    run: async (context) => context.client.call(testClocks.fail, { id: (await context.testClock()).id }),
  }),
  'test_clock.deleting': clockDeleted(),
  'test_clock.deleted': clockDeleted(),
}

function clockDeleted(): TriggerRecipe {
  return recipe({
    ...CLOCK,
    how: 'deletes a test clock',
    run: async (context) => context.client.call(testClocks.delete, { id: (await context.testClock()).id }),
  })
}

function checkoutCompleted(how: string): TriggerRecipe {
  return recipe({
    ...CHECKOUT,
    how,
    run: async (context) => context.completeCheckout(await context.checkoutSession(), 'visa'),
  })
}

function paymentSessionPaid(how: string): TriggerRecipe {
  return recipe({ ...PAYMENT, how, run: (context) => context.payment() })
}

function paymentRefunded(how: string): TriggerRecipe {
  return recipe({ ...REFUND, how, run: async (context) => createRefund(context, await context.payment()) })
}

function refundedLater(card: 'refund_async' | 'refund_fails', how: string): TriggerRecipe {
  return recipe({
    ...LATER_REFUND,
    how,
    run: async (context) => {
      const refund = await createRefund(context, await context.payment(card, { isOnClock: true }))
      return context.advance(refund, { by: { interval: 'hour', count: 2 } })
    },
  })
}

function subscriptionRenewed(card: 'renewal_no_funds' | 'renewal_sca', how: string): TriggerRecipe {
  return recipe({
    ...RENEWAL,
    how,
    run: async (context) => renew(context, await context.subscription({ card, isOnClock: true })),
  })
}

function clockAdvanced(): TriggerRecipe {
  return recipe({
    ...CLOCK,
    how: 'advances a test clock by an hour',
    run: async (context) => {
      const { id } = await context.testClock()
      return context.advance({ id, test_clock: id }, { by: { interval: 'hour', count: 1 } })
    },
  })
}
