import type { ObjectName } from '../../api/resources/catalog.ts'
import type { EventType } from '../../domain/core/event-types.ts'
import { DISPUTE_RECIPES } from './dispute-recipes.ts'
import { recipe, type TriggerRecipe } from './trigger-recipe.ts'
import {
  APPROACH_TRIAL_END_STEPS,
  actionStep,
  advanceStep,
  CAPTURE_STEP,
  CARD_SESSION_STEP,
  CUSTOMER_STEP,
  chargeCardStep,
  checkoutStep,
  completeCheckoutSteps,
  completeStep,
  DETACH_CARD_STEP,
  deleteStep,
  EXHAUST_RETRIES_STEPS,
  INVOICE_ITEM_STEP,
  invoiceSteps,
  PAUSE_TRIAL_STEPS,
  PORTAL_SESSION_STEP,
  paymentSessionStep,
  payStep,
  postStep,
  RAISE_PRICE_STEP,
  REFUND_STEP,
  RENEW_STEP,
  type RecipeStep,
  readStep,
  START_LATER_STEPS,
  subscriptionSteps,
  TEST_CLOCK_STEP,
  updateStep,
} from './trigger-steps.ts'

const CHECKOUT = [CUSTOMER_STEP, checkoutStep()]
const SUBSCRIPTION = subscriptionSteps()
const SESSION = [CUSTOMER_STEP, paymentSessionStep()]
const PAID = [...SESSION, payStep('visa')]
const HELD = [CUSTOMER_STEP, paymentSessionStep({ capture_method: 'manual' }), payStep('visa')]
const CAPTURED = recipe(
  'reserves the amount of a payment session, and captures it',
  [...HELD, CAPTURE_STEP],
  ['payment_session'],
)
const CARD = [CUSTOMER_STEP, CARD_SESSION_STEP]
const PORTAL = [CUSTOMER_STEP, PORTAL_SESSION_STEP]
const SAVE_CARD = completeStep('completed', 'card_session', { test_card: 'visa' })
const COUPON_STEP = postStep('coupon', 'coupons', { name: 'Spring offer', percent_off: 25 })
const CODE = [COUPON_STEP, postStep('promotion_code', 'promotion_codes', { coupon: `\${coupon.id}` })]
const FEE = [...SUBSCRIPTION, INVOICE_ITEM_STEP]
const REFUNDED = recipe('refunds a payment', [...PAID, REFUND_STEP], ['payment_session', 'payment'])
const CLOCK_ADVANCED = recipe('advances a test clock by an hour', [
  TEST_CLOCK_STEP,
  actionStep('test_clock', 'advance', { by: { interval: 'hour', count: 1 } }),
])
const CLOCK_DELETED = recipe('deletes a test clock', [TEST_CLOCK_STEP, deleteStep('test_clock')])

/** The recipe of each event type. */
export const RECIPES: { readonly [T in EventType]: TriggerRecipe } = {
  'customer.created': recipe('creates a customer', [CUSTOMER_STEP]),
  'customer.updated': recipe('updates the metadata of a customer', [CUSTOMER_STEP, updateStep('customer')]),
  'customer.deleted': recipe('deletes a customer', [CUSTOMER_STEP, deleteStep('customer')]),

  'checkout_session.created': recipe('creates a checkout session', CHECKOUT),
  'checkout_session.completed': checkoutCompleted('completes a checkout session'),
  'checkout_session.expired': expired('checkout_session', CHECKOUT),

  'payment_session.created': recipe('creates a payment session', SESSION),
  'payment_session.completed': sessionPaid('completes a payment session'),
  'payment_session.updated': CAPTURED,
  'payment_session.payment_succeeded': debited('sepa_debit', 'succeeds'),
  'payment_session.payment_failed': debited('sepa_debit_fails', 'fails'),
  'payment_session.expired': expired('payment_session', SESSION),

  'card_session.created': recipe('creates a card session', CARD),
  'card_session.completed': recipe(
    'saves a new card in a card session',
    [...CARD, SAVE_CARD],
    ['card_session'],
  ),
  'card_session.expired': expired('card_session', CARD),

  'portal_session.created': recipe('creates a portal session', PORTAL),
  'portal_session.expired': expired('portal_session', PORTAL),

  'payment_method.attached': checkoutCompleted('completes a checkout session, which saves the card'),
  'payment_method.detached': recipe(
    'detaches a saved card',
    [...SUBSCRIPTION, DETACH_CARD_STEP],
    ['checkout_session'],
    [actionStep('payment_method', 'detach')],
  ),

  'payment.created': sessionPaid('pays a payment session'),
  'payment.requires_action': recipe(
    'pays with a card that requires 3-D Secure; with --id pm_…, charges that card on session',
    [...SESSION, payStep('sca_required')],
    ['payment_session'],
    [chargeCardStep(false)],
  ),
  'payment.authorized': recipe('reserves the amount of a payment session', HELD, ['payment_session']),
  'payment.succeeded': sessionPaid('pays a payment session'),
  'payment.failed': recipe(
    'pays with a card that is declined; with --id pm_…, charges that card off session',
    [...SESSION, { ...payStep('declined'), mayDecline: true }],
    ['payment_session'],
    [chargeCardStep(true)],
  ),
  'payment.canceled': recipe(
    'charges a saved card that requires 3-D Secure, and cancels the payment',
    [
      CUSTOMER_STEP,
      paymentSessionStep({ save_payment_method: true }),
      payStep('sca_required'),
      chargeCardStep(false),
      actionStep('charge', 'cancel'),
    ],
    [],
    [chargeCardStep(false), actionStep('charge', 'cancel')],
  ),
  'payment.refunded': REFUNDED,
  'payment.updated': refundedLater('refund_fails', 'refunds a payment; the refund fails an hour later'),

  'subscription.created': checkoutCompleted('completes a checkout session'),
  'subscription.started': recipe(
    'creates a subscription that starts in a week and advances its clock to the start',
    START_LATER_STEPS,
  ),
  'subscription.trial_will_end': recipe(
    'starts a trial of two weeks and advances its clock to three days before the end',
    APPROACH_TRIAL_END_STEPS,
    ['subscription'],
  ),
  'subscription.renewed': recipe(
    'advances the clock of a subscription to the end of its period',
    renewedWith('visa'),
    ['subscription'],
  ),
  'subscription.past_due': recipe('renews with a card that is declined', renewedWith('renewal_no_funds')),
  'subscription.unpaid': recipe(
    'renews with a failing card until retries are exhausted; requires paycli serve --on-exhausted unpaid',
    [...renewedWith('renewal_no_funds'), ...EXHAUST_RETRIES_STEPS],
  ),
  'subscription.recovered': recipe(
    'renews with a card that is declined, then updates the card, which pays the invoice',
    [...renewedWith('renewal_no_funds'), CARD_SESSION_STEP, SAVE_CARD],
  ),
  'subscription.paused': recipe(
    'starts a trial without a card and advances its clock to the end',
    PAUSE_TRIAL_STEPS,
  ),
  'subscription.resumed': recipe('pauses a subscription after a trial, saves a card and resumes it', [
    ...PAUSE_TRIAL_STEPS,
    checkoutStep(),
    ...completeCheckoutSteps('visa', 'other'),
    actionStep('subscription', 'resume'),
  ]),
  'subscription.updated': recipe(
    'raises the price of a subscription, with prorations',
    [...SUBSCRIPTION, RAISE_PRICE_STEP],
    ['checkout_session', 'subscription'],
  ),
  'subscription.canceled': recipe(
    'cancels a subscription',
    [...SUBSCRIPTION, actionStep('subscription', 'cancel')],
    ['checkout_session', 'subscription'],
  ),

  'invoice.created': checkoutCompleted('completes a checkout session'),
  'invoice.finalized': checkoutCompleted('completes a checkout session'),
  'invoice.sent': recipe('completes a checkout session whose invoices are sent', invoiceSteps()),
  'invoice.overdue': recipe(
    'sends an invoice that is due in a day and advances its clock past the due date',
    [
      TEST_CLOCK_STEP,
      ...invoiceSteps({ days_until_due: 1 }),
      advanceStep('invoice', { by: { interval: 'day', count: 2 } }),
    ],
  ),
  'invoice.paid': invoiceEnded(
    'marks an open invoice paid out of band',
    actionStep('invoice', 'pay', { paid_out_of_band: true }),
  ),
  'invoice.payment_failed': recipe('renews with a card that is declined', renewedWith('renewal_no_funds')),
  'invoice.payment_action_required': recipe(
    'renews with a card that requires authentication',
    renewedWith('renewal_sca'),
  ),
  'invoice.voided': invoiceEnded('voids an open invoice', actionStep('invoice', 'void')),
  'invoice.marked_uncollectible': invoiceEnded(
    'marks an open invoice uncollectible',
    actionStep('invoice', 'mark_uncollectible'),
  ),
  'invoice.updated': recipe('cancels a subscription that has an open invoice', [
    ...subscriptionSteps(null, { collection_method: 'send_invoice' }),
    actionStep('subscription', 'cancel'),
  ]),

  'invoice_item.created': recipe('adds a one-off fee to a subscription', FEE, ['subscription']),
  'invoice_item.updated': recipe(
    'adds a one-off fee to a subscription and renews it',
    [TEST_CLOCK_STEP, ...FEE, readStep('subscription', `\${invoice_item.subscription}`), RENEW_STEP],
    ['subscription', 'invoice_item'],
  ),
  'invoice_item.deleted': recipe(
    'adds a one-off fee to a subscription and deletes it',
    [...FEE, deleteStep('invoice_item')],
    ['subscription', 'invoice_item'],
  ),

  'coupon.created': recipe('creates a coupon', [COUPON_STEP]),
  'coupon.updated': recipe(
    'updates the metadata of a coupon',
    [COUPON_STEP, updateStep('coupon')],
    ['coupon'],
  ),
  'coupon.deleted': recipe('deletes a coupon', [COUPON_STEP, deleteStep('coupon')], ['coupon']),
  'promotion_code.created': recipe('creates a promotion code', CODE, ['coupon']),
  'promotion_code.updated': recipe(
    'updates the metadata of a promotion code',
    [...CODE, updateStep('promotion_code')],
    ['coupon', 'promotion_code'],
  ),

  'refund.created': REFUNDED,
  'refund.updated': refundedLater('refund_async', 'refunds a payment; the refund succeeds an hour later'),
  'refund.failed': refundedLater('refund_fails', 'refunds a payment; the refund fails an hour later'),

  ...DISPUTE_RECIPES,

  'test_clock.created': recipe('creates a test clock', [TEST_CLOCK_STEP]),
  'test_clock.advancing': CLOCK_ADVANCED,
  'test_clock.ready': CLOCK_ADVANCED,
  'test_clock.internal_failure': recipe('simulates an internal failure of a test clock', [
    TEST_CLOCK_STEP,
    actionStep('test_clock', 'fail'),
  ]),
  'test_clock.deleting': CLOCK_DELETED,
  'test_clock.deleted': CLOCK_DELETED,
}

function expired(session: ObjectName, steps: readonly RecipeStep[]): TriggerRecipe {
  const how = `expires a ${session.replace('_', ' ')}`
  return recipe(how, [...steps, actionStep(session, 'expire')], [session])
}

function checkoutCompleted(how: string): TriggerRecipe {
  return recipe(how, SUBSCRIPTION, ['checkout_session'])
}

function sessionPaid(how: string): TriggerRecipe {
  return recipe(how, PAID, ['payment_session'])
}

function debited(account: string, outcome: string): TriggerRecipe {
  return recipe(`pays a payment session by direct debit, which ${outcome} after three days`, [
    TEST_CLOCK_STEP,
    CUSTOMER_STEP,
    paymentSessionStep({ payment_method_types: ['card', 'sepa_debit'] }),
    payStep(account),
    advanceStep('payment_session', { by: { interval: 'day', count: 3 } }),
  ])
}

function refundedLater(card: 'refund_async' | 'refund_fails', how: string): TriggerRecipe {
  const hours = advanceStep('refund', { by: { interval: 'hour', count: 2 } })
  return recipe(how, [TEST_CLOCK_STEP, ...SESSION, payStep(card), REFUND_STEP, hours], ['payment_session'])
}

function renewedWith(card: string): readonly RecipeStep[] {
  return [TEST_CLOCK_STEP, ...subscriptionSteps(card), RENEW_STEP]
}

function invoiceEnded(how: string, step: RecipeStep): TriggerRecipe {
  return recipe(how, [...invoiceSteps(), step], ['invoice'])
}
