import fc from 'fast-check'
import type { api } from '../../src/api/api.ts'
import type { ParamsOf } from '../../src/api/core/operation.ts'
import { TEST_CARDS } from '../../src/domain/cards/test-cards.ts'
import { IBAN_ALIASES } from '../../src/domain/cards/test-ibans.ts'
import { type DunningPolicy, EXHAUSTION_POLICIES } from '../../src/domain/core/dunning.ts'
import { LOCALES } from '../../src/domain/sessions/sessions.ts'
import type { CalendarUnit } from '../../src/domain/time/periods.ts'
import { weighted } from './random-acts.ts'
import { trials } from './random-trials.ts'
import { DAY, START } from './sandbox.ts'

type CheckoutParams = Omit<ParamsOf<typeof api.checkoutSessions.create>, 'customer'>
type PaymentParams = Omit<ParamsOf<typeof api.paymentSessions.create>, 'customer'>
type PortalSessionParams = Omit<ParamsOf<typeof api.portalSessions.create>, 'customer'>
type CardSessionParams = Omit<ParamsOf<typeof api.cardSessions.create>, 'customer' | 'subscription'>
type CustomerParams = ParamsOf<typeof api.customers.create>
type CustomerUpdate = Omit<ParamsOf<typeof api.customers.update>, 'id'>
type InvoiceItemParams = Omit<ParamsOf<typeof api.invoiceItems.create>, 'subscription'>
type SubscriptionUpdate = Omit<ParamsOf<typeof api.subscriptions.update>, 'id'>

/** Aliases of test cards; cards whose behavior changes after the first payment are more frequent. */
export const aliases: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TEST_CARDS.map(({ alias }) => alias)),
  fc.constantFrom(
    ...TEST_CARDS.filter(({ alias }) => /^(renewal|sca|refund|every)_/.test(alias)).map(({ alias }) => alias),
  ),
)

/** Aliases of test cards and test IBANs. */
export const payers: fc.Arbitrary<string> = weighted([4, aliases], [1, fc.constantFrom(...IBAN_ALIASES)])

const words = fc.stringMatching(/^[a-zé]{1,12}( [a-z]{1,8})?$/)
const metadata = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), words, { maxKeys: 3 })
const currency = fc.constantFrom('eur', 'jpy', 'kwd')

/** Billing intervals; short intervals are rare, so that advancing by months stays fast. */
const span: fc.Arbitrary<{ interval: CalendarUnit; interval_count?: number }> = weighted(
  [1, spanOf('day', 1, 3)],
  [2, spanOf('day', 7, 40)],
  [3, spanOf('week', 1, 8)],
  [5, spanOf('month', 1, 6)],
  [1, spanOf('year', 1, 3)],
  [2, fc.constantFrom<CalendarUnit>('month', 'year').map((interval) => ({ interval }))],
)

function spanOf(interval: CalendarUnit, min: number, max: number) {
  return fc.integer({ min, max }).map((interval_count) => ({ interval, interval_count }))
}

const item = fc.record(
  {
    description: words,
    type: fc.constantFrom('rent', 'deposit', 'fee_2'),
    quantity: fc.nat({ max: 9 }),
    price_data: fc.record(
      {
        amount: fc.oneof(fc.nat({ max: 999_999_999_999 }), fc.nat({ max: 500 }), fc.constant(0)),
        tax_percent: fc.integer({ min: 0, max: 1_000_000 }).map((ppm) => ppm / 10_000),
      },
      { requiredKeys: ['amount'] },
    ),
  },
  { requiredKeys: ['description', 'price_data'] },
)

const startDates = fc
  .oneof(fc.constant(0), fc.integer({ min: START - 90 * DAY, max: START + 90 * DAY }))
  .map((start_date) => ({ start_date }))

const sentWithin = (days_until_due: number) =>
  ({ collection_method: 'send_invoice', days_until_due }) as const

const terms: fc.Arbitrary<CheckoutParams['subscription_data']> = fc
  .tuple(
    span,
    fc.record(
      {
        collection: weighted(
          [3, fc.constant({ collection_method: 'charge_automatically' })],
          [1, fc.constant({ collection_method: 'send_invoice' })],
          [1, fc.constantFrom(0, 1, 7, 30).map(sentWithin)],
        ),
        start: weighted([2, startDates], [1, trials]),
        items: fc.array(item, { minLength: 1, maxLength: 4 }),
        metadata,
      },
      { requiredKeys: ['items'] },
    ),
  )
  .map(([period, { collection = {}, start = {}, ...rest }]) => ({
    ...period,
    ...collection,
    ...start,
    ...rest,
  }))

/** Random parameters of a checkout session, without the customer. */
export const checkoutParams: fc.Arbitrary<CheckoutParams> = fc
  .record(
    {
      currency,
      payment_method_types: fc.constant(['card', 'sepa_debit'] as const),
      subscription_data: terms,
      description: words,
      client_reference_id: words,
      locale: fc.constantFrom(...LOCALES),
      payment_method_collection: fc.constantFrom('always', 'if_required'),
      return_url: fc.constantFrom(
        'https://example.com/return?a=1',
        'http://127.0.0.1:3000/{CHECKOUT_SESSION_ID}',
      ),
      expires_at: fc.integer({ min: START + 1800, max: START + 70 * DAY }),
      metadata,
    },
    { requiredKeys: ['currency', 'subscription_data', 'payment_method_types'] },
  )
  .map(withCardUnlessTrial)

// `if_required` requires a trial.
function withCardUnlessTrial(params: CheckoutParams): CheckoutParams {
  const { trial_days, trial_end } = params.subscription_data
  const isTrial = trial_days !== undefined || trial_end !== undefined
  return isTrial ? params : { ...params, payment_method_collection: 'always' }
}

/** Random parameters of a checkout session without `expires_at`, so that they are valid at any time. */
export const orderParams: fc.Arbitrary<CheckoutParams> = checkoutParams.map(
  ({ expires_at: _expires_at, ...params }) => params,
)

/** Random parameters of a payment session, without the customer. */
export const paymentParams: fc.Arbitrary<PaymentParams> = fc.record(
  {
    amount: fc.integer({ min: 1, max: 999_999_999_999 }),
    currency,
    payment_method_types: fc.constant(['card', 'card'] as const),
    return_url: fc.constant('https://example.com/return'),
    description: words,
    capture_method: fc.constantFrom('automatic', 'manual'),
    save_payment_method: fc.boolean(),
    metadata,
  },
  { requiredKeys: ['amount', 'currency', 'payment_method_types', 'return_url'] },
)

/** Random parameters of a card session, without the customer and the subscription. */
export const cardSessionParams: fc.Arbitrary<CardSessionParams> = fc.record(
  {
    use_for: fc.constantFrom('all', 'customer'),
    pay_open_invoices: fc.boolean(),
    return_url: fc.constant('https://example.com/{CARD_SESSION_ID}'),
    client_reference_id: words,
    locale: fc.constantFrom(...LOCALES),
    expires_at: fc.integer({ min: START + 1800, max: START + 70 * DAY }),
    metadata,
  },
  { requiredKeys: [] },
)

/** Random parameters of a portal session, without the customer. */
export const portalSessionParams: fc.Arbitrary<PortalSessionParams> = fc.record(
  {
    return_url: fc.constant('https://example.com/{PORTAL_SESSION_ID}'),
    features: fc.record(
      {
        cards: fc.boolean(),
        cancel: fc.constantFrom('at_period_end', 'now', 'off'),
        plans: fc.constantFrom(
          'off' as const,
          [],
          [{ amount: 900, description: 'Small', interval: 'week' as const }],
        ),
        invoices: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    locale: fc.constantFrom(...LOCALES),
    metadata,
  },
  { requiredKeys: [] },
)

/** Random parameters of a new customer. */
export const customerParams: fc.Arbitrary<CustomerParams> = fc.record(
  { email: fc.constantFrom('ada@example.com', 'bob@example.org'), name: words, metadata },
  { requiredKeys: ['email'] },
)

const metadataUpdate = fc.oneof(metadata, fc.constant(null), fc.constant('' as const))

/** Random parameters of a customer update, without the default card. */
export const customerUpdate: fc.Arbitrary<CustomerUpdate> = fc.record(
  {
    email: fc.constantFrom('ada@example.com', 'eve@example.net'),
    name: fc.option(words),
    description: fc.option(words),
    metadata: metadataUpdate,
  },
  { requiredKeys: [] },
)

const pause = fc.record(
  {
    behavior: fc.constantFrom('keep_as_draft', 'mark_uncollectible', 'void'),
    resumes_at: fc.option(fc.integer({ min: START, max: START + 400 * DAY })),
  },
  { requiredKeys: ['behavior'] },
)

/** Random parameters of a subscription update, without the default card. */
export const subscriptionUpdate: fc.Arbitrary<SubscriptionUpdate> = fc.record(
  {
    description: words,
    metadata: metadataUpdate,
    cancel_at_period_end: fc.boolean(),
    pause_collection: fc.option(pause),
  },
  { requiredKeys: [] },
)

/** Random parameters of an invoice item, without the subscription; credits and fees are equally frequent. */
export const invoiceItemParams: fc.Arbitrary<InvoiceItemParams> = fc.record(
  {
    description: words,
    unit_amount: fc.oneof(
      fc.integer({ min: -999_999_999, max: 999_999_999 }),
      fc.integer({ min: -500, max: 500 }),
    ),
    quantity: fc.nat({ max: 9 }),
    tax_percent: fc.integer({ min: 0, max: 1_000_000 }).map((ppm) => ppm / 10_000),
    metadata,
  },
  { requiredKeys: ['description', 'unit_amount'] },
)

/** Random retry schedules of failed charges; the default is more frequent. */
export const dunnings: fc.Arbitrary<DunningPolicy> = fc.record({
  retry_days: fc.oneof(
    fc.constant([3, 5, 7]),
    fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 4 }),
    fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 8 }),
  ),
  on_exhausted: fc.constantFrom(...EXHAUSTION_POLICIES),
})
