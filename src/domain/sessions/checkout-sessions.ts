import { type Creation, type RuleContext, toCreation } from '../core/changes.ts'
import { throwValidationErrors, type Unvalidated, type ValidationError } from '../core/domain-error.ts'
import { createMetadata } from '../core/metadata.ts'
import { calculateLineTotals, MAX_SUBSCRIPTION_ITEMS, sumLineTotals } from '../core/money.ts'
import * as p from '../core/params.ts'
import * as s from '../core/schema.ts'
import type { Customer } from '../payments/customers.ts'
import { formatTimestamp } from '../text/format-timestamp.ts'
import { listPeriodLengthErrors } from '../time/periods.ts'
import { listUnixSecondsErrors } from '../time/unix-seconds.ts'
import { billedItemProperties, billingTermsProperties, itemParams } from './billing-terms.ts'
import {
  discountSession,
  findRedemptionError,
  listDiscountErrors,
  type Redemption,
  sessionDiscountParams,
  sessionDiscountProperties,
} from './discounts.ts'
import { listMaxAmountErrors, toTaxableLine } from './item-amounts.ts'
import {
  DEFAULT_PAYMENT_METHOD_TYPES,
  listMethodTypeErrors,
  paymentMethodTypesParam,
  paymentMethodTypesSchema,
} from './payment-method-types.ts'
import {
  createLeadingSessionFields,
  createTrailingSessionFields,
  listSessionExpiryErrors,
  sessionParams,
  sessionStatusSchema,
  trailingPaidSessionProperties,
} from './sessions.ts'
import {
  listTrialErrors,
  normalizeTrial,
  paymentMethodCollectionParam,
  paymentMethodCollectionSchema,
  trialParams,
  trialTermsProperties,
} from './trial-terms.ts'

const item = s.object(
  {
    ...billedItemProperties,
    amount_subtotal: s.amount('The price per billing period without discount and tax.'),
    amount_discount: s.amount('The discount on the first paid period.'),
    amount_tax: s.amount('The tax of the first paid period.'),
    amount_total: s.amount('The price of the first paid period with discount and tax.'),
  },
  'An item that is billed each period.',
)

const subscriptionData = s.object(
  {
    ...billingTermsProperties,
    start_date: s.nullable(
      s.timestamp('Time at which billing starts; null if billing starts when the session is completed.'),
    ),
    ...trialTermsProperties,
    metadata: s.metadata,
    items: s.arrayOf(item, 'The items that are billed each period, 1 to 20.'),
  },
  'The subscription that completing the session creates.',
)

/** The schema of a checkout session. */
export const checkoutSessionSchema = s.resourceObject(
  'checkout_session',
  'A checkout page with a shareable URL, on which a customer sets up a subscription.',
  {
    url: s.url(
      'The page on which the customer sets up the subscription. The page shows the result after the session has ended.',
    ),
    status: sessionStatusSchema,
    payment_status: s.enumOf(
      ['unpaid', 'paid', 'no_payment_required'],
      'Whether the first invoice was paid when the session was completed. The status stays `unpaid` after a direct debit; the invoice has the result. No payment is required if the invoice is free, as in a trial, if credit covers the invoice, or if billing starts later.',
    ),
    customer: s.id('Customer of the subscription.'),
    currency: s.currencyCode('The currency of all amounts.'),
    description: s.text(
      'The description of the subscription, or the descriptions of its items if none was given.',
    ),
    payment_method_types: paymentMethodTypesSchema,
    payment_method_collection: paymentMethodCollectionSchema,
    subscription_data: subscriptionData,
    ...sessionDiscountProperties,
    amount_subtotal: s.amount('The amount of the first paid period without discount and tax.'),
    amount_discount: s.amount('The discount on the first paid period.'),
    amount_tax: s.amount('The tax of the first paid period.'),
    amount_total: s.amount('The amount of the first paid period with discount and tax.'),
    return_url: s.nullable(s.url('The page to which the customer returns; null if no URL was given.')),
    ...trailingPaidSessionProperties,
    subscription: s.nullable(s.id('The subscription; null until the session is complete.')),
    invoice: s.nullable(s.id('The first invoice; null until the invoice is created.')),
    payment_method: s.nullable(s.id('The saved card; null until a card is saved.')),
    ...s.metadataAndClockProperties,
  },
)

export type CheckoutSession = s.ValueOf<typeof checkoutSessionSchema>
export type CheckoutSessionItem = s.ValueOf<typeof item>

const subscriptionParams = p.shape(
  {
    interval: p.choice(['day', 'week', 'month', 'year'], 'Unit of the billing period.'),
    items: p.list(itemParams, MAX_SUBSCRIPTION_ITEMS, 'Items billed each period, 1 to 20.'),
  },
  {
    interval_count: p.integer(
      { min: 1, errorCodes: { minimum: 'interval_count_out_of_range' } },
      'Number of intervals per billing period, which lasts at most 3 years (default: 1).',
    ),
    collection_method: p.choice(
      ['charge_automatically', 'send_invoice'],
      'Charge the card automatically or send an invoice (default: charge_automatically).',
    ),
    start_date: p.timestamp('Start of billing in Unix seconds, in the past or the future (default: now).'),
    ...trialParams,
    days_until_due: p.integer(
      { min: 0, max: 365 },
      'Days to pay a sent invoice (default: 30). With 0, the invoice is due at the end of the day in UTC.',
    ),
    metadata: p.metadata(),
  },
  'The subscription to create.',
)

/** The parameters of a new checkout session. */
export const checkoutSessionParams = p.shape(
  {
    currency: p.currency('Currency as a lower-case ISO 4217 code.'),
    customer: p.id('Customer of the subscription.'),
    subscription_data: subscriptionParams,
  },
  {
    description: p.text(
      5000,
      'Description of the subscription. Required unless every item has a description.',
    ),
    payment_method_types: paymentMethodTypesParam,
    payment_method_collection: paymentMethodCollectionParam,
    ...sessionDiscountParams,
    return_url: p.url('URL to which the customer returns after completion.'),
    ...sessionParams,
  },
)

export type CheckoutSessionParams = s.ValueOf<typeof checkoutSessionParams>
type CheckoutItemFields = s.ValueOf<typeof itemParams>

const MAX_START_AHEAD_SECONDS = 5 * 365.25 * 86_400
const MAX_JOINED_DESCRIPTION_CHARACTERS = 500
const DEFAULT_DAYS_UNTIL_DUE = 30

/**
 * Creates an open session with all defaults and the amounts of its first period. Throws all validation errors together.
 */
export function createCheckoutSession(
  fields: CheckoutSessionParams,
  customer: Customer,
  context: RuleContext,
  redemption: Redemption | null = null,
): Creation<CheckoutSession> {
  throwValidationErrors(listCheckoutSessionErrors(fields, context.now))
  const terms = normalizeTerms(fields)
  const totals = sumLineTotals(terms.items.map(toTaxableLine))
  const session: CheckoutSession = {
    ...createLeadingSessionFields('checkout_session', context),
    payment_status: 'unpaid',
    customer: customer.id,
    currency: fields.currency,
    description: fields.description ?? joinDescriptions(fields.subscription_data.items),
    payment_method_types: [...new Set(fields.payment_method_types ?? DEFAULT_PAYMENT_METHOD_TYPES)],
    payment_method_collection: fields.payment_method_collection ?? 'always',
    subscription_data: terms,
    discounts: [],
    allow_promotion_codes: fields.allow_promotion_codes ?? false,
    ...totals,
    return_url: fields.return_url ?? null,
    ...createTrailingSessionFields(fields, context),
    subscription: null,
    invoice: null,
    payment: null,
    payment_method: null,
    metadata: createMetadata(fields.metadata),
    test_clock: customer.test_clock,
  }
  if (redemption === null) return toCreation('checkout_session.created', session)
  const request = { currency: fields.currency, now: context.now, param: 'discounts[0]' }
  const error = findRedemptionError(redemption, request)
  if (error !== null) throw error
  return toCreation('checkout_session.created', discountSession(session, redemption))
}

function normalizeTerms(fields: CheckoutSessionParams): CheckoutSession['subscription_data'] {
  const terms = fields.subscription_data
  const method = terms.collection_method ?? 'charge_automatically'
  return {
    collection_method: method,
    interval: terms.interval,
    interval_count: terms.interval_count ?? 1,
    start_date: terms.start_date ?? null,
    ...normalizeTrial(terms),
    days_until_due: method === 'send_invoice' ? (terms.days_until_due ?? DEFAULT_DAYS_UNTIL_DUE) : null,
    metadata: createMetadata(terms.metadata),
    items: terms.items.map((item) => {
      const price = {
        amount: item.price_data.amount,
        currency: item.price_data.currency ?? fields.currency,
        tax_percent: item.price_data.tax_percent ?? 0,
      }
      const priced = { price_data: price, quantity: item.quantity ?? 1 }
      return {
        description: item.description ?? null,
        type: item.type ?? 'other',
        ...priced,
        ...calculateLineTotals(toTaxableLine(priced)),
      }
    }),
  }
}

function joinDescriptions(items: readonly CheckoutItemFields[]): string {
  const joined = items.map((item) => item.description).join(', ')
  return [...joined].slice(0, MAX_JOINED_DESCRIPTION_CHARACTERS).join('')
}

type UnvalidatedSession = Unvalidated<CheckoutSessionParams>
type UnvalidatedTerms = Unvalidated<CheckoutSessionParams['subscription_data']>
type UnvalidatedItem = Unvalidated<CheckoutItemFields>

/** Returns all validation errors of a new checkout session. `now` is in Unix seconds; null allows past times. */
export function listCheckoutSessionErrors(fields: UnvalidatedSession, now: number | null): ValidationError[] {
  const terms = fields.subscription_data ?? {}
  const items = terms.items ?? []
  return [
    ...items.flatMap((item, index) => validateItemCurrency(item, index, fields.currency)),
    ...listMaxAmountErrors(items, 'subscription_data[items]'),
    ...listPeriodLengthErrors(terms, 'subscription_data[interval_count]'),
    ...validateStartDate(terms.start_date, now),
    ...listTrialErrors(terms, fields.payment_method_collection, now),
    ...validateDaysUntilDue(terms),
    ...validateDescription(fields, items),
    ...listMethodTypeErrors(fields),
    ...listDiscountErrors(fields),
    ...(now === null ? [] : listSessionExpiryErrors(fields.expires_at, now)),
  ]
}

function validateDescription(
  { description }: UnvalidatedSession,
  items: readonly (UnvalidatedItem | null)[],
): ValidationError[] {
  const isDescribed = description !== undefined
  if (isDescribed || items.every((item) => item === null || item.description !== undefined)) return []
  const message = 'Missing description: set `description` on the session or on every item.'
  return [{ code: 'parameter_missing', param: 'description', message }]
}

function validateItemCurrency(
  item: UnvalidatedItem | null,
  index: number,
  currency: UnvalidatedSession['currency'],
): ValidationError[] {
  const given = item?.price_data?.currency
  if (!given || !currency || given === currency) return []
  const param = `subscription_data[items][${index}][price_data][currency]`
  const message = `Item currency '${given}' differs from the session currency '${currency}'. A subscription has one currency; omit the item currency to inherit it.`
  return [{ code: 'currency_mismatch', param, message }]
}

function validateStartDate(startDate: UnvalidatedTerms['start_date'], now: number | null): ValidationError[] {
  if (startDate === undefined || startDate === null) return []
  const param = 'subscription_data[start_date]'
  const errors = listUnixSecondsErrors('start_date', startDate, param)
  if (errors.length > 0 || now === null || startDate <= now + MAX_START_AHEAD_SECONDS) return errors
  const message = `Invalid start_date ${formatTimestamp(startDate)}: it is more than 5 years ahead. Use an earlier time in Unix seconds.`
  return [{ code: 'timestamp_invalid', param, message }]
}

function validateDaysUntilDue({
  collection_method: method,
  days_until_due: days,
}: UnvalidatedTerms): ValidationError[] {
  const isAlreadyInvalid = days === null || method === null
  if (days === undefined || isAlreadyInvalid || method === 'send_invoice') return []
  const message = `Invalid days_until_due ${days}: it requires collection_method 'send_invoice'. Omit it or change the collection method.`
  return [{ code: 'days_until_due_not_allowed', param: 'subscription_data[days_until_due]', message }]
}
