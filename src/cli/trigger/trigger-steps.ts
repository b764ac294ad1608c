import type { Client } from '../../client/client.ts'
import type { Invoice } from '../../domain/billing/invoices.ts'
import type { Subscription } from '../../domain/billing/subscriptions.ts'
import type { Customer } from '../../domain/payments/customers.ts'
import type { Dispute } from '../../domain/payments/disputes.ts'
import type { PaymentMethod } from '../../domain/payments/payment-methods.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import type { Refund } from '../../domain/payments/refunds.ts'
import type { Coupon } from '../../domain/sessions/coupons.ts'
import type { PaymentSession } from '../../domain/sessions/payment-sessions.ts'
import type { PromotionCode } from '../../domain/sessions/promotion-codes.ts'
import type { TestClock } from '../../domain/time/test-clocks.ts'
import type { FixtureStep } from '../fixtures/fixture-files.ts'
import type { Params } from '../parse/params.ts'
import { createNotOnClockError, createUnusableIdError } from './unusable-id.ts'

/** The responses of earlier steps, by step name. A step reads only the responses of earlier steps of its recipe. */
export interface StepObjects {
  readonly customer: Customer
  readonly test_clock?: TestClock
  readonly clock: TestClock
  readonly payment_session: PaymentSession
  /** The completed payment session, or the payment given by `--id`. */
  readonly payment?: PaymentSession | Payment
  /** The saved card given by `--id`. */
  readonly payment_method?: PaymentMethod
  readonly coupon: Coupon
  readonly promotion_code: PromotionCode
  readonly subscription: Subscription
  /** The subscription after the last advance of `EXHAUST_RETRIES_STEPS`. */
  readonly retried?: Subscription
  readonly invoice: Invoice
  readonly refund: Refund
  readonly dispute: Dispute
}

type ComputeParams = (objects: StepObjects, client: Client) => Params | null | Promise<Params>

/** A step of a recipe: a fixture step that may compute its parameters. A step whose parameters are null is skipped. */
export interface RecipeStep extends Omit<FixtureStep, 'params'> {
  readonly params: Params | ComputeParams
  /** Whether a declined charge counts as success; the response is then the failed payment. */
  readonly mayDecline?: boolean
}

const DAY_SECONDS = 86_400

/** Returns a step that sends a POST request. */
export function createPostStep(name: string, path: string, params: RecipeStep['params'] = {}): RecipeStep {
  return { name, method: 'POST', path, params }
}

/** Returns a step that runs an action such as `expire` on the object of an earlier step. */
export function createActionStep(object: string, action: string, params: Params = {}): RecipeStep {
  return createPostStep(action, `\${${object}.id}/${action}`, params)
}

/** Returns a step that deletes the object of an earlier step. */
export function createDeleteStep(object: string): RecipeStep {
  return { name: 'deleted', method: 'DELETE', path: `\${${object}.id}`, params: {} }
}

/** Returns a step that completes the session of an earlier step. */
export function createCompletionStep(
  name: string,
  session: string,
  params: RecipeStep['params'],
): RecipeStep {
  return createPostStep(name, `test_helpers/${session}s/\${${session}.id}/complete`, params)
}

/** Returns a step that reads an object or a list. */
export function createReadStep(name: string, path: string): RecipeStep {
  return { name, method: 'GET', path, params: {} }
}

/** The step that creates a test clock at the time of the server. */
export const TEST_CLOCK_STEP = createPostStep(
  'test_clock',
  'test_helpers/test_clocks',
  async (_, client) => ({
    frozen_time: await client.now(),
    name: 'trigger',
  }),
)

/** The step that creates a customer, on the test clock if a step created a clock or `--id` names a clock. */
export const CUSTOMER_STEP = createPostStep('customer', 'customers', ({ test_clock }) => ({
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  ...(test_clock && { test_clock: test_clock.id }),
}))

/** The step that creates a card session of the customer. */
export const CARD_SESSION_STEP = createPostStep('card_session', 'card_sessions', {
  customer: `\${customer.id}`,
  return_url: 'https://example.com/account',
})

/** The step that creates a portal session of the customer. */
export const PORTAL_SESSION_STEP = createPostStep('portal_session', 'portal_sessions', {
  customer: `\${customer.id}`,
  return_url: 'https://example.com/account',
})

/** The step that adds a one-off fee to the subscription. */
export const INVOICE_ITEM_STEP = createPostStep('invoice_item', 'invoice_items', {
  subscription: `\${subscription.id}`,
  description: 'Replacement key',
  unit_amount: 2500,
})

/** Returns the step that creates a payment session; `fields` are further parameters. */
export function createPaymentSessionStep(fields: Params = {}): RecipeStep {
  return createPostStep('payment_session', 'payment_sessions', {
    amount: 1000,
    currency: 'eur',
    customer: `\${customer.id}`,
    payment_method_types: ['card'],
    return_url: 'https://example.com/return',
    ...fields,
  })
}

/** Returns the step that pays the payment session with a test card, unless the session is paid. */
export function createPayStep(card: string): RecipeStep {
  return createCompletionStep('payment', 'payment_session', ({ payment_session }) =>
    payment_session.payment === null ? { test_card: card } : null,
  )
}

/** The step that captures the reserved amount of the payment session. */
export const CAPTURE_STEP = createPostStep('captured', `payments/\${payment.payment}/capture`)

/** The step that refunds the payment given by `--id`, or else the payment of the payment session. */
export const REFUND_STEP = createPostStep(
  'refund',
  'refunds',
  ({ payment_session, payment = payment_session }) => ({
    payment: payment.object === 'payment' ? payment.id : payment.payment,
  }),
)

/** Returns the step that charges the saved card given by `--id`, or else the card that the payment session saved. */
export function createChargeCardStep(off_session: boolean): RecipeStep {
  const charge = createPostStep('charge', 'payments', ({ payment, payment_method: given }) => {
    if (given?.customer === null)
      throw createUnusableIdError(given.id, 'is detached', 'another: paycli cards list <customer>')
    const { customer, payment_method } =
      given === undefined ? Object(payment) : { customer: given.customer, payment_method: given.id }
    return { amount: 1000, currency: 'eur', customer, payment_method, off_session }
  })
  return { ...charge, mayDecline: true }
}

/** Returns the step that creates a checkout session of a monthly subscription; `data` and `fields` are further parameters. */
export function createCheckoutStep(
  data: Params | ((objects: StepObjects) => Params) = {},
  fields: Params = {},
): RecipeStep {
  return createPostStep('checkout_session', 'checkout_sessions', (objects) => ({
    customer: `\${customer.id}`,
    currency: 'eur',
    payment_method_types: ['card'],
    ...fields,
    subscription_data: {
      interval: 'month',
      interval_count: 1,
      items: [
        { description: 'Monthly rent', type: 'rent', price_data: { amount: 100_000, tax_percent: 20 } },
      ],
      ...(typeof data === 'function' ? data(objects) : data),
    },
  }))
}

/** Returns the steps that complete the checkout session and read its subscription; `card` is null to enter no card. */
export function createCheckoutCompletionSteps(
  card: string | null = 'visa',
  name = 'subscription',
): readonly RecipeStep[] {
  return [
    createCompletionStep('completed', 'checkout_session', card === null ? {} : { test_card: card }),
    createReadStep(name, `subscriptions/\${completed.subscription}`),
  ]
}

/** Returns the steps that create a customer with a subscription; `card` is null to enter no card. */
export function createSubscriptionSteps(
  card: string | null = 'visa',
  ...terms: Parameters<typeof createCheckoutStep>
): readonly RecipeStep[] {
  return [CUSTOMER_STEP, createCheckoutStep(...terms), ...createCheckoutCompletionSteps(card)]
}

/** Returns the steps that create a customer with an open invoice, which the customer pays manually. */
export function createInvoiceSteps(data: Params = {}): readonly RecipeStep[] {
  return [
    ...createSubscriptionSteps(null, { ...data, collection_method: 'send_invoice' }),
    createReadStep('invoice', `invoices?subscription=\${subscription.id}&limit=1`),
  ]
}

/** Returns a step that advances the test clock of the object of an earlier step. */
export function createAdvanceStep(
  object: 'subscription' | 'invoice' | 'refund' | 'dispute' | 'payment_session',
  to: Params | ((objects: StepObjects) => Params | null),
): RecipeStep {
  return createPostStep('advanced', `\${${object}.test_clock}/advance`, (objects) => {
    const params = typeof to === 'function' ? to(objects) : to
    const { id, test_clock } = objects[object]
    if (params !== null && test_clock === null) throw createNotOnClockError(id)
    return params
  })
}

/** The step that advances the test clock to the end of the billing period, or to the start of the subscription. */
export const RENEW_STEP = createAdvanceStep('subscription', ({ subscription }) => {
  const { id, status, current_period_end, start_date } = subscription
  const another = 'another: paycli subscriptions list --status active'
  if (status === 'canceled') throw createUnusableIdError(id, 'is canceled, which is final', another)
  if (status === 'paused') throw createUnusableIdError(id, 'is paused, so it has no period to end', another)
  return { frozen_time: current_period_end ?? start_date }
})

/** Returns the step that changes the metadata of an object, because an update without a change would create no event. */
export function createUpdateStep(object: 'customer' | 'coupon' | 'promotion_code'): RecipeStep {
  return createPostStep('updated', `\${${object}.id}`, (objects) => ({
    metadata: { triggers: String(Number(objects[object].metadata['triggers'] ?? '0') + 1) },
  }))
}

/** The step that raises the price of the first item of the subscription, so that the change is prorated. */
export const RAISE_PRICE_STEP = createPostStep(
  'updated',
  `\${subscription.id}`,
  ({ subscription: { id, items } }) => {
    const [item] = items
    if (item === undefined) throw createUnusableIdError(id, 'has no items')
    return { items: [{ id: item.id, price_data: { amount: item.price_data.amount + 1000 } }] }
  },
)

/** The step that detaches the card of the subscription. */
export const DETACH_CARD_STEP = createPostStep(
  'detach',
  `payment_methods/\${subscription.default_payment_method}/detach`,
  ({ subscription: { id, default_payment_method } }) => {
    if (default_payment_method === null) throw createUnusableIdError(id, 'has no card')
    return {}
  },
)

const startTime = ({ clock }: StepObjects) => clock.frozen_time + 7 * DAY_SECONDS

/** The steps that create a subscription that starts in a week, and advance its clock to the start. */
export const START_LATER_STEPS: readonly RecipeStep[] = [
  TEST_CLOCK_STEP,
  CUSTOMER_STEP,
  createReadStep('clock', `test_helpers/test_clocks/\${customer.test_clock}`),
  createCheckoutStep((objects) => ({ start_date: startTime(objects) })),
  ...createCheckoutCompletionSteps(),
  createAdvanceStep('subscription', (objects) => ({ frozen_time: startTime(objects) })),
]

const TRIAL = { trial_days: 14 }

/** The steps that start a trial of two weeks, and advance its clock to three days before the end. */
export const APPROACH_TRIAL_END_STEPS: readonly RecipeStep[] = [
  TEST_CLOCK_STEP,
  ...createSubscriptionSteps('visa', TRIAL),
  createAdvanceStep('subscription', ({ subscription: { id, status, trial_end } }) => {
    if (status !== 'trialing' || trial_end === null)
      throw createUnusableIdError(id, `is ${status}, not in a trial`)
    return { frozen_time: trial_end - 3 * DAY_SECONDS }
  }),
]

/** The steps of a trial without a card, whose subscription is paused when the clock reaches the end of the trial. */
export const PAUSE_TRIAL_STEPS: readonly RecipeStep[] = [
  TEST_CLOCK_STEP,
  ...createSubscriptionSteps(
    null,
    { ...TRIAL, trial_settings: { missing_payment_method: 'pause' } },
    { payment_method_collection: 'if_required' },
  ),
  RENEW_STEP,
]

/** The steps that advance the clock of a past-due subscription until its retries are exhausted, at most 20 times. */
export const EXHAUST_RETRIES_STEPS: readonly RecipeStep[] = Array.from({ length: 20 }).flatMap(() => [
  {
    ...createReadStep('retried', `\${subscription.id}`),
    params: ({ retried }: StepObjects) => ((retried?.status ?? 'past_due') === 'past_due' ? {} : null),
  },
  createAdvanceStep('subscription', ({ retried }) =>
    retried?.status === 'past_due' ? { by: { interval: 'day', count: 15 } } : null,
  ),
])
