import type { ObjectName } from '../../api/resources/catalog.ts'
import type { EventType } from '../../domain/core/event-types.ts'
import { DISPUTE_RECIPES } from './dispute-recipes.ts'
import { createRecipe, type TriggerRecipe } from './trigger-recipe.ts'
import {
  APPROACH_TRIAL_END_STEPS,
  CAPTURE_STEP,
  CARD_SESSION_STEP,
  CUSTOMER_STEP,
  createActionStep,
  createAdvanceStep,
  createChargeCardStep,
  createCheckoutCompletionSteps,
  createCheckoutStep,
  createCompletionStep,
  createDeleteStep,
  createInvoiceSteps,
  createPaymentSessionStep,
  createPayStep,
  createPostStep,
  createReadStep,
  createSubscriptionSteps,
  createUpdateStep,
  DETACH_CARD_STEP,
  EXHAUST_RETRIES_STEPS,
  INVOICE_ITEM_STEP,
  PAUSE_TRIAL_STEPS,
  PORTAL_SESSION_STEP,
  RAISE_PRICE_STEP,
  REFUND_STEP,
  RENEW_STEP,
  type RecipeStep,
  START_LATER_STEPS,
  TEST_CLOCK_STEP,
} from './trigger-steps.ts'

const CHECKOUT = [CUSTOMER_STEP, createCheckoutStep()]
const SUBSCRIPTION = createSubscriptionSteps()
const SESSION = [CUSTOMER_STEP, createPaymentSessionStep()]
const PAID = [...SESSION, createPayStep('visa')]
const HELD = [CUSTOMER_STEP, createPaymentSessionStep({ capture_method: 'manual' }), createPayStep('visa')]
const CAPTURED = createRecipe(
  'reserves the amount of a payment session, and captures it',
  [...HELD, CAPTURE_STEP],
  ['payment_session'],
)
const CARD = [CUSTOMER_STEP, CARD_SESSION_STEP]
const PORTAL = [CUSTOMER_STEP, PORTAL_SESSION_STEP]
const SAVE_CARD = createCompletionStep('completed', 'card_session', { test_card: 'visa' })
const COUPON_STEP = createPostStep('coupon', 'coupons', { name: 'Spring offer', percent_off: 25 })
const CODE = [COUPON_STEP, createPostStep('promotion_code', 'promotion_codes', { coupon: `\${coupon.id}` })]
const FEE = [...SUBSCRIPTION, INVOICE_ITEM_STEP]
const REFUNDED = createRecipe('refunds a payment', [...PAID, REFUND_STEP], ['payment_session', 'payment'])
const CLOCK_ADVANCED = createRecipe('advances a test clock by an hour', [
  TEST_CLOCK_STEP,
  createActionStep('test_clock', 'advance', { by: { interval: 'hour', count: 1 } }),
])
const CLOCK_DELETED = createRecipe('deletes a test clock', [TEST_CLOCK_STEP, createDeleteStep('test_clock')])

/** The recipe of each event type. */
export const RECIPES: { readonly [T in EventType]: TriggerRecipe } = {
  'customer.created': createRecipe('creates a customer', [CUSTOMER_STEP]),
  'customer.updated': createRecipe('updates the metadata of a customer', [
    CUSTOMER_STEP,
    createUpdateStep('customer'),
  ]),
  'customer.deleted': createRecipe('deletes a customer', [CUSTOMER_STEP, createDeleteStep('customer')]),

  'checkout_session.created': createRecipe('creates a checkout session', CHECKOUT),
  'checkout_session.completed': checkoutCompleted('completes a checkout session'),
  'checkout_session.expired': expired('checkout_session', CHECKOUT),

  'payment_session.created': createRecipe('creates a payment session', SESSION),
  'payment_session.completed': sessionPaid('completes a payment session'),
  'payment_session.updated': CAPTURED,
  'payment_session.payment_succeeded': debited('sepa_debit', 'succeeds'),
  'payment_session.payment_failed': debited('sepa_debit_fails', 'fails'),
  'payment_session.expired': expired('payment_session', SESSION),

  'card_session.created': createRecipe('creates a card session', CARD),
  'card_session.completed': createRecipe(
    'saves a new card in a card session',
    [...CARD, SAVE_CARD],
    ['card_session'],
  ),
  'card_session.expired': expired('card_session', CARD),

  'portal_session.created': createRecipe('creates a portal session', PORTAL),
  'portal_session.expired': expired('portal_session', PORTAL),

  'payment_method.attached': checkoutCompleted('completes a checkout session, which saves the card'),
  'payment_method.detached': createRecipe(
    'detaches a saved card',
    [...SUBSCRIPTION, DETACH_CARD_STEP],
    ['checkout_session'],
    [createActionStep('payment_method', 'detach')],
  ),

  'payment.created': sessionPaid('pays a payment session'),
  'payment.requires_action': createRecipe(
    'pays with a card that requires 3-D Secure; with --id pm_…, charges that card on session',
    [...SESSION, createPayStep('sca_required')],
    ['payment_session'],
    [createChargeCardStep(false)],
  ),
  'payment.authorized': createRecipe('reserves the amount of a payment session', HELD, ['payment_session']),
  'payment.succeeded': sessionPaid('pays a payment session'),
  'payment.failed': createRecipe(
    'pays with a card that is declined; with --id pm_…, charges that card off session',
    [...SESSION, { ...createPayStep('declined'), mayDecline: true }],
    ['payment_session'],
    [createChargeCardStep(true)],
  ),
  'payment.canceled': createRecipe(
    'charges a saved card that requires 3-D Secure, and cancels the payment',
    [
      CUSTOMER_STEP,
      createPaymentSessionStep({ save_payment_method: true }),
      createPayStep('sca_required'),
      createChargeCardStep(false),
      createActionStep('charge', 'cancel'),
    ],
    [],
    [createChargeCardStep(false), createActionStep('charge', 'cancel')],
  ),
  'payment.refunded': REFUNDED,
  'payment.updated': refundedLater('refund_fails', 'refunds a payment; the refund fails an hour later'),

  'subscription.created': checkoutCompleted('completes a checkout session'),
  'subscription.started': createRecipe(
    'creates a subscription that starts in a week and advances its clock to the start',
    START_LATER_STEPS,
  ),
  'subscription.trial_will_end': createRecipe(
    'starts a trial of two weeks and advances its clock to three days before the end',
    APPROACH_TRIAL_END_STEPS,
    ['subscription'],
  ),
  'subscription.renewed': createRecipe(
    'advances the clock of a subscription to the end of its period',
    renewedWith('visa'),
    ['subscription'],
  ),
  'subscription.past_due': createRecipe(
    'renews with a card that is declined',
    renewedWith('renewal_no_funds'),
  ),
  'subscription.unpaid': createRecipe(
    'renews with a failing card until retries are exhausted; requires paycli serve --on-exhausted unpaid',
    [...renewedWith('renewal_no_funds'), ...EXHAUST_RETRIES_STEPS],
  ),
  'subscription.recovered': createRecipe(
    'renews with a card that is declined, then updates the card, which pays the invoice',
    [...renewedWith('renewal_no_funds'), CARD_SESSION_STEP, SAVE_CARD],
  ),
  'subscription.paused': createRecipe(
    'starts a trial without a card and advances its clock to the end',
    PAUSE_TRIAL_STEPS,
  ),
  'subscription.resumed': createRecipe('pauses a subscription after a trial, saves a card and resumes it', [
    ...PAUSE_TRIAL_STEPS,
    createCheckoutStep(),
    ...createCheckoutCompletionSteps('visa', 'other'),
    createActionStep('subscription', 'resume'),
  ]),
  'subscription.updated': createRecipe(
    'raises the price of a subscription, with prorations',
    [...SUBSCRIPTION, RAISE_PRICE_STEP],
    ['checkout_session', 'subscription'],
  ),
  'subscription.canceled': createRecipe(
    'cancels a subscription',
    [...SUBSCRIPTION, createActionStep('subscription', 'cancel')],
    ['checkout_session', 'subscription'],
  ),

  'invoice.created': checkoutCompleted('completes a checkout session'),
  'invoice.finalized': checkoutCompleted('completes a checkout session'),
  'invoice.sent': createRecipe('completes a checkout session whose invoices are sent', createInvoiceSteps()),
  'invoice.overdue': createRecipe(
    'sends an invoice that is due in a day and advances its clock past the due date',
    [
      TEST_CLOCK_STEP,
      ...createInvoiceSteps({ days_until_due: 1 }),
      createAdvanceStep('invoice', { by: { interval: 'day', count: 2 } }),
    ],
  ),
  'invoice.paid': invoiceEnded(
    'marks an open invoice paid out of band',
    createActionStep('invoice', 'pay', { paid_out_of_band: true }),
  ),
  'invoice.payment_failed': createRecipe(
    'renews with a card that is declined',
    renewedWith('renewal_no_funds'),
  ),
  'invoice.payment_action_required': createRecipe(
    'renews with a card that requires authentication',
    renewedWith('renewal_sca'),
  ),
  'invoice.voided': invoiceEnded('voids an open invoice', createActionStep('invoice', 'void')),
  'invoice.marked_uncollectible': invoiceEnded(
    'marks an open invoice uncollectible',
    createActionStep('invoice', 'mark_uncollectible'),
  ),
  'invoice.updated': createRecipe('cancels a subscription that has an open invoice', [
    ...createSubscriptionSteps(null, { collection_method: 'send_invoice' }),
    createActionStep('subscription', 'cancel'),
  ]),

  'invoice_item.created': createRecipe('adds a one-off fee to a subscription', FEE, ['subscription']),
  'invoice_item.updated': createRecipe(
    'adds a one-off fee to a subscription and renews it',
    [TEST_CLOCK_STEP, ...FEE, createReadStep('subscription', `\${invoice_item.subscription}`), RENEW_STEP],
    ['subscription', 'invoice_item'],
  ),
  'invoice_item.deleted': createRecipe(
    'adds a one-off fee to a subscription and deletes it',
    [...FEE, createDeleteStep('invoice_item')],
    ['subscription', 'invoice_item'],
  ),

  'coupon.created': createRecipe('creates a coupon', [COUPON_STEP]),
  'coupon.updated': createRecipe(
    'updates the metadata of a coupon',
    [COUPON_STEP, createUpdateStep('coupon')],
    ['coupon'],
  ),
  'coupon.deleted': createRecipe('deletes a coupon', [COUPON_STEP, createDeleteStep('coupon')], ['coupon']),
  'promotion_code.created': createRecipe('creates a promotion code', CODE, ['coupon']),
  'promotion_code.updated': createRecipe(
    'updates the metadata of a promotion code',
    [...CODE, createUpdateStep('promotion_code')],
    ['coupon', 'promotion_code'],
  ),

  'refund.created': REFUNDED,
  'refund.updated': refundedLater('refund_async', 'refunds a payment; the refund succeeds an hour later'),
  'refund.failed': refundedLater('refund_fails', 'refunds a payment; the refund fails an hour later'),

  ...DISPUTE_RECIPES,

  'test_clock.created': createRecipe('creates a test clock', [TEST_CLOCK_STEP]),
  'test_clock.advancing': CLOCK_ADVANCED,
  'test_clock.ready': CLOCK_ADVANCED,
  'test_clock.internal_failure': createRecipe('simulates an internal failure of a test clock', [
    TEST_CLOCK_STEP,
    createActionStep('test_clock', 'fail'),
  ]),
  'test_clock.deleting': CLOCK_DELETED,
  'test_clock.deleted': CLOCK_DELETED,
}

function expired(session: ObjectName, steps: readonly RecipeStep[]): TriggerRecipe {
  const how = `expires a ${session.replace('_', ' ')}`
  return createRecipe(how, [...steps, createActionStep(session, 'expire')], [session])
}

function checkoutCompleted(how: string): TriggerRecipe {
  return createRecipe(how, SUBSCRIPTION, ['checkout_session'])
}

function sessionPaid(how: string): TriggerRecipe {
  return createRecipe(how, PAID, ['payment_session'])
}

function debited(account: string, outcome: string): TriggerRecipe {
  return createRecipe(`pays a payment session by direct debit, which ${outcome} after three days`, [
    TEST_CLOCK_STEP,
    CUSTOMER_STEP,
    createPaymentSessionStep({ payment_method_types: ['card', 'sepa_debit'] }),
    createPayStep(account),
    createAdvanceStep('payment_session', { by: { interval: 'day', count: 3 } }),
  ])
}

function refundedLater(card: 'refund_async' | 'refund_fails', how: string): TriggerRecipe {
  const hours = createAdvanceStep('refund', { by: { interval: 'hour', count: 2 } })
  return createRecipe(
    how,
    [TEST_CLOCK_STEP, ...SESSION, createPayStep(card), REFUND_STEP, hours],
    ['payment_session'],
  )
}

function renewedWith(card: string): readonly RecipeStep[] {
  return [TEST_CLOCK_STEP, ...createSubscriptionSteps(card), RENEW_STEP]
}

function invoiceEnded(how: string, step: RecipeStep): TriggerRecipe {
  return createRecipe(how, [...createInvoiceSteps(), step], ['invoice'])
}
