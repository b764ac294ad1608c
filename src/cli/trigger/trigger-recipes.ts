import { cardSessions } from '../../api/operations/card-sessions.ts'
import { checkoutSessions } from '../../api/operations/checkout-sessions.ts'
import { customers } from '../../api/operations/customers.ts'
import { invoiceItems } from '../../api/operations/invoice-items.ts'
import { invoices } from '../../api/operations/invoices.ts'
import { paymentMethods } from '../../api/operations/payment-methods.ts'
import { paymentSessions } from '../../api/operations/payment-sessions.ts'
import { subscriptions } from '../../api/operations/subscriptions.ts'
import { testClocks } from '../../api/operations/test-clocks.ts'
import type { ObjectName } from '../../api/resources/catalog.ts'
import type { EventType } from '../../domain/core/event-types.ts'
import { cancelCharge, chargeGivenCard } from './trigger-cards.ts'
import { ignoreDecline, type TriggerContext } from './trigger-context.ts'
import {
  approachTrialEnd,
  billOneOffFee,
  exhaustRetries,
  incrementTriggers,
  pauseTrial,
  raisePrice,
  recoverWithNewCard,
  refundLater,
  renew,
  resumeTrial,
  startLater,
  triggerRefund,
} from './trigger-steps.ts'

/** The operations that cause an event. */
export interface TriggerRecipe {
  /** The description of the trigger in `paycli trigger --list`. */
  readonly how: string
  /** The names of the objects that `--id` can name in place of a new one. */
  readonly accepts: readonly ObjectName[]
  /** The names of the objects that it creates, in order; their parameters can be changed. */
  readonly makes: readonly ObjectName[]
  readonly run: (context: TriggerContext) => Promise<unknown>
}

type RecipeObjects = Pick<TriggerRecipe, 'accepts' | 'makes'>

const OWNER = ['customer', 'test_clock'] as const
const CLOCK: RecipeObjects = { accepts: ['test_clock'], makes: ['test_clock'] }
const CUSTOMER: RecipeObjects = { accepts: OWNER, makes: ['test_clock', 'customer'] }
const SESSION: RecipeObjects = { accepts: OWNER, makes: [...CUSTOMER.makes, 'checkout_session'] }
const CHECKOUT = accepting(SESSION, 'checkout_session')
const INVOICE = accepting(SESSION, 'invoice')
const INVOICE_ITEM: RecipeObjects = {
  accepts: [...OWNER, 'subscription'],
  makes: [...SESSION.makes, 'invoice_item'],
}
const PAYMENT_SESSION: RecipeObjects = { accepts: OWNER, makes: [...CUSTOMER.makes, 'payment_session'] }
const PAYMENT = accepting(PAYMENT_SESSION, 'payment_session')
const PAYMENT_OR_CARD = accepting(PAYMENT, 'payment_method')
const CARD_SESSION: RecipeObjects = { accepts: OWNER, makes: [...CUSTOMER.makes, 'card_session'] }
const CARD = accepting(CARD_SESSION, 'card_session')
const LATER_REFUND: RecipeObjects = { ...PAYMENT, makes: [...PAYMENT.makes, 'refund'] }
const REFUND = accepting(LATER_REFUND, 'payment')

function accepting(objects: RecipeObjects, object: ObjectName): RecipeObjects {
  return { ...objects, accepts: [...objects.accepts, object] }
}

function recipe(objects: RecipeObjects, how: string, run: TriggerRecipe['run']): TriggerRecipe {
  return { ...objects, how, run }
}

/** The recipe of each event type. */
export const RECIPES: { readonly [T in EventType]: TriggerRecipe } = {
  'customer.created': recipe({ ...CUSTOMER, accepts: ['test_clock'] }, 'creates a customer', (context) =>
    context.customer(),
  ),
  'customer.updated': recipe(CUSTOMER, 'updates the metadata of a customer', async (context) => {
    const { id, metadata } = await context.customer()
    return context.client.call(customers.update, { id, metadata: incrementTriggers(metadata) })
  }),
  'customer.deleted': recipe(CUSTOMER, 'deletes a customer', (context) =>
    context.call(customers.delete, context.customer()),
  ),

  'checkout_session.created': recipe(SESSION, 'creates a checkout session', (context) =>
    context.checkoutSession(),
  ),
  'checkout_session.completed': checkoutCompleted('completes a checkout session'),
  'checkout_session.expired': recipe(CHECKOUT, 'expires a checkout session', (context) =>
    context.call(checkoutSessions.expire, context.checkoutSession()),
  ),

  'payment_session.created': recipe(PAYMENT_SESSION, 'creates a payment session', (context) =>
    context.paymentSession(),
  ),
  'payment_session.completed': paymentSessionPaid('completes a payment session'),
  'payment_session.expired': recipe(PAYMENT, 'expires a payment session', (context) =>
    context.call(paymentSessions.expire, context.paymentSession()),
  ),

  'card_session.created': recipe(CARD_SESSION, 'creates a card session', (context) => context.cardSession()),
  'card_session.completed': recipe(CARD, 'saves a new card in a card session', (context) =>
    context.call(cardSessions.complete, context.cardSession(), { test_card: 'visa' }),
  ),
  'card_session.expired': recipe(CARD, 'expires a card session', (context) =>
    context.call(cardSessions.expire, context.cardSession()),
  ),

  'payment_method.attached': checkoutCompleted('completes a checkout session, which saves the card'),
  'payment_method.detached': recipe(
    accepting(CHECKOUT, 'payment_method'),
    'detaches a saved card',
    (context) => context.call(paymentMethods.detach, context.card()),
  ),

  'payment.created': paymentSessionPaid('pays a payment session'),
  'payment.requires_action': recipe(
    PAYMENT_OR_CARD,
    'pays with a card that requires 3-D Secure; with --id pm_…, charges that card on session',
    async (context) => (await chargeGivenCard(context, false)) || context.payment('sca_required'),
  ),
  'payment.succeeded': paymentSessionPaid('pays a payment session'),
  'payment.failed': recipe(
    PAYMENT_OR_CARD,
    'pays with a card that is declined; with --id pm_…, charges that card off session',
    async (context) => (await chargeGivenCard(context, true)) || ignoreDecline(context.payment('declined')),
  ),
  'payment.canceled': recipe(
    accepting(PAYMENT_SESSION, 'payment_method'),
    'charges a saved card that requires 3-D Secure, and cancels the payment',
    cancelCharge,
  ),
  'payment.refunded': paymentRefunded('refunds a payment'),
  'payment.updated': refundedLater('refund_fails', 'refunds a payment; the refund fails an hour later'),

  'subscription.created': checkoutCompleted('completes a checkout session'),
  'subscription.started': recipe(
    SESSION,
    'creates a subscription that starts in a week and advances its clock to the start',
    startLater,
  ),
  'subscription.trial_will_end': recipe(
    accepting(SESSION, 'subscription'),
    'starts a trial of two weeks and advances its clock to three days before the end',
    approachTrialEnd,
  ),
  'subscription.renewed': recipe(
    accepting(SESSION, 'subscription'),
    'advances the clock of a subscription to the end of its period',
    async (context) => renew(context, await context.subscription({ isOnClock: true })),
  ),
  'subscription.past_due': subscriptionRenewed('renewal_no_funds', 'renews with a card that is declined'),
  'subscription.unpaid': recipe(
    SESSION,
    'renews with a failing card until retries are exhausted; requires paycli serve --on-exhausted unpaid',
    exhaustRetries,
  ),
  'subscription.recovered': recipe(
    { ...SESSION, makes: [...SESSION.makes, 'card_session'] },
    'renews with a card that is declined, then updates the card, which pays the invoice',
    recoverWithNewCard,
  ),
  'subscription.paused': recipe(
    SESSION,
    'starts a trial without a card and advances its clock to the end',
    pauseTrial,
  ),
  'subscription.resumed': recipe(
    SESSION,
    'pauses a subscription after a trial, saves a card and resumes it',
    resumeTrial,
  ),
  'subscription.updated': recipe(
    accepting(CHECKOUT, 'subscription'),
    'raises the price of a subscription, with prorations',
    raisePrice,
  ),
  'subscription.canceled': recipe(accepting(CHECKOUT, 'subscription'), 'cancels a subscription', (context) =>
    context.call(subscriptions.cancel, context.subscription()),
  ),

  'invoice.created': checkoutCompleted('completes a checkout session'),
  'invoice.finalized': checkoutCompleted('completes a checkout session'),
  'invoice.sent': recipe(SESSION, 'completes a checkout session whose invoices are sent', (context) =>
    context.openInvoice(),
  ),
  'invoice.overdue': recipe(
    SESSION,
    'sends an invoice that is due in a day and advances its clock past the due date',
    async (context) => {
      const invoice = await context.openInvoice({ isOnClock: true, data: { days_until_due: 1 } })
      return context.advance(invoice, { by: { interval: 'day', count: 2 } })
    },
  ),
  'invoice.paid': recipe(INVOICE, 'marks an open invoice paid out of band', (context) =>
    context.call(invoices.pay, context.openInvoice(), { paid_out_of_band: true }),
  ),
  'invoice.payment_failed': subscriptionRenewed('renewal_no_funds', 'renews with a card that is declined'),
  'invoice.payment_action_required': subscriptionRenewed(
    'renewal_sca',
    'renews with a card that requires authentication',
  ),
  'invoice.voided': recipe(INVOICE, 'voids an open invoice', (context) =>
    context.call(invoices.void, context.openInvoice()),
  ),
  'invoice.marked_uncollectible': recipe(INVOICE, 'marks an open invoice uncollectible', (context) =>
    context.call(invoices.markUncollectible, context.openInvoice()),
  ),
  'invoice.updated': recipe(SESSION, 'cancels a subscription that has an open invoice', (context) =>
    context.call(subscriptions.cancel, context.subscription({ data: { collection_method: 'send_invoice' } })),
  ),

  'invoice_item.created': recipe(INVOICE_ITEM, 'adds a one-off fee to a subscription', (context) =>
    context.invoiceItem(),
  ),
  'invoice_item.updated': recipe(
    accepting(INVOICE_ITEM, 'invoice_item'),
    'adds a one-off fee to a subscription and renews it',
    billOneOffFee,
  ),
  'invoice_item.deleted': recipe(
    accepting(INVOICE_ITEM, 'invoice_item'),
    'adds a one-off fee to a subscription and deletes it',
    (context) => context.call(invoiceItems.delete, context.invoiceItem()),
  ),

  'refund.created': paymentRefunded('refunds a payment'),
  'refund.updated': refundedLater('refund_async', 'refunds a payment; the refund succeeds an hour later'),
  'refund.failed': refundedLater('refund_fails', 'refunds a payment; the refund fails an hour later'),

  'test_clock.created': recipe({ ...CLOCK, accepts: [] }, 'creates a test clock', (context) =>
    context.testClock(),
  ),
  'test_clock.advancing': clockAdvanced(),
  'test_clock.ready': clockAdvanced(),
  'test_clock.internal_failure': recipe(CLOCK, 'simulates an internal failure of a test clock', (context) =>
    context.call(testClocks.fail, context.testClock()),
  ),
  'test_clock.deleting': clockDeleted(),
  'test_clock.deleted': clockDeleted(),
}

function clockDeleted(): TriggerRecipe {
  return recipe(CLOCK, 'deletes a test clock', (context) =>
    context.call(testClocks.delete, context.testClock()),
  )
}

function clockAdvanced(): TriggerRecipe {
  return recipe(CLOCK, 'advances a test clock by an hour', (context) =>
    context.call(testClocks.advance, context.testClock(), { by: { interval: 'hour', count: 1 } }),
  )
}

function checkoutCompleted(how: string): TriggerRecipe {
  return recipe(CHECKOUT, how, async (context) =>
    context.completeCheckout(await context.checkoutSession(), 'visa'),
  )
}

function paymentSessionPaid(how: string): TriggerRecipe {
  return recipe(PAYMENT, how, (context) => context.payment())
}

function paymentRefunded(how: string): TriggerRecipe {
  return recipe(REFUND, how, async (context) => triggerRefund(context, await context.payment()))
}

function refundedLater(card: 'refund_async' | 'refund_fails', how: string): TriggerRecipe {
  return recipe(LATER_REFUND, how, (context) => refundLater(context, card))
}

function subscriptionRenewed(card: 'renewal_no_funds' | 'renewal_sca', how: string): TriggerRecipe {
  return recipe(SESSION, how, async (context) =>
    renew(context, await context.subscription({ card, isOnClock: true })),
  )
}
