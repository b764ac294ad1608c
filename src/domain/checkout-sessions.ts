import type { BilledItem, CollectionMethod, SubscriptionTerms } from './billing-terms.ts'
import { type Change, type Creation, creation, type Mutation, mutation, type RuleContext } from './changes.ts'
import type { Customer } from './customers.ts'
import { type Doubtful, refuseProblems, type ValidationError } from './domain-error.ts'
import type { Metadata } from './metadata.ts'
import { momentText } from './moment-text.ts'
import { lineTotals, sumTotals } from './money.ts'
import { cancelWaiting, type Payment } from './payments.ts'
import { type Interval, isSpanAllowed } from './periods.ts'
import { type ExpirationReason, expired, expiryOf, expiryProblems, type SessionStatus } from './sessions.ts'
import { millisecondProblems } from './unix-seconds.ts'

export interface CheckoutSessionItem extends BilledItem {
  readonly amount_subtotal: number
  readonly amount_tax: number
  readonly amount_total: number
}

export interface CheckoutSession {
  readonly id: string
  readonly object: 'checkout_session'
  readonly created: number
  readonly livemode: false
  readonly url: string
  readonly status: SessionStatus
  readonly payment_status: 'unpaid' | 'paid' | 'no_payment_required'
  readonly customer: string
  readonly currency: string
  readonly description: string
  readonly payment_method_types: readonly string[]
  readonly subscription_data: SubscriptionTerms<CheckoutSessionItem>
  readonly amount_subtotal: number
  readonly amount_tax: number
  readonly amount_total: number
  readonly return_url: string | null
  readonly client_reference_id: string | null
  readonly expires_at: number
  readonly completed_at: number | null
  readonly expired_at: number | null
  readonly expiration_reason: ExpirationReason | null
  readonly subscription: string | null
  readonly invoice: string | null
  readonly payment: string | null
  readonly payment_method: string | null
  readonly metadata: Metadata
  readonly test_clock: string | null
}

export interface CheckoutItemFields {
  readonly description?: string
  readonly type?: string
  readonly price_data: {
    readonly amount: number
    readonly currency?: string
    readonly tax_percent?: number
  }
}

export interface CheckoutSessionFields {
  readonly currency: string
  readonly customer: string
  readonly description?: string
  readonly payment_method_types?: readonly string[]
  readonly subscription_data: {
    readonly collection_method?: CollectionMethod
    readonly interval: Interval
    readonly interval_count?: number
    readonly start_date?: number
    readonly days_until_due?: number
    readonly metadata?: Metadata
    readonly items: readonly CheckoutItemFields[]
  }
  readonly return_url?: string
  readonly client_reference_id?: string
  readonly expires_at?: number
  readonly metadata?: Metadata
}

const MAX_START_AHEAD_SECONDS = 5 * 365.25 * 86_400
const MAX_JOINED_DESCRIPTION_CHARACTERS = 500
const DEFAULT_DAYS_UNTIL_DUE = 30

/** An open session with every default filled in and its first-period amounts; refuses with all problems at once. */
export function createCheckoutSession(
  fields: CheckoutSessionFields,
  customer: Customer,
  context: RuleContext,
): Creation<CheckoutSession> {
  refuseProblems(checkoutProblems(fields, context.now))
  const id = context.newId('cks_')
  const terms = normalizeTerms(fields)
  const totals = sumTotals(terms.items.map((item) => item.price_data))
  return creation('checkout_session.created', {
    id,
    object: 'checkout_session',
    created: context.now,
    livemode: false,
    url: `${context.checkoutUrl}/checkout/${id}`,
    status: 'open',
    payment_status: 'unpaid',
    customer: customer.id,
    currency: fields.currency,
    description: fields.description ?? joinDescriptions(fields.subscription_data.items),
    payment_method_types: [...new Set(fields.payment_method_types ?? ['card'])],
    subscription_data: terms,
    ...totals,
    return_url: fields.return_url ?? null,
    client_reference_id: fields.client_reference_id ?? null,
    expires_at: expiryOf(fields.expires_at, context),
    completed_at: null,
    expired_at: null,
    expiration_reason: null,
    subscription: null,
    invoice: null,
    payment: null,
    payment_method: null,
    metadata: fields.metadata ?? {},
    test_clock: customer.test_clock,
  })
}

function normalizeTerms(fields: CheckoutSessionFields): CheckoutSession['subscription_data'] {
  const terms = fields.subscription_data
  const method = terms.collection_method ?? 'charge_automatically'
  return {
    collection_method: method,
    interval: terms.interval,
    interval_count: terms.interval_count ?? 1,
    start_date: terms.start_date ?? null,
    days_until_due: method === 'send_invoice' ? (terms.days_until_due ?? DEFAULT_DAYS_UNTIL_DUE) : null,
    metadata: terms.metadata ?? {},
    items: terms.items.map((item) => {
      const price = {
        amount: item.price_data.amount,
        currency: item.price_data.currency ?? fields.currency,
        tax_percent: item.price_data.tax_percent ?? 0,
      }
      return {
        description: item.description ?? null,
        type: item.type ?? 'other',
        price_data: price,
        ...lineTotals(price),
      }
    }),
  }
}

function joinDescriptions(items: readonly CheckoutItemFields[]): string {
  const joined = items.map((item) => item.description).join(', ')
  return [...joined].slice(0, MAX_JOINED_DESCRIPTION_CHARACTERS).join('')
}

type Given = Doubtful<CheckoutSessionFields>
type GivenTerms = Doubtful<CheckoutSessionFields['subscription_data']>
type GivenItem = Doubtful<CheckoutItemFields>

/** What is wrong with a session to be made; without `now`, in Unix seconds, nothing of its times that depends on it. */
export function checkoutProblems(fields: Given, now: number | null): ValidationError[] {
  const terms = fields.subscription_data ?? {}
  const items = terms.items ?? []
  return [
    ...items.flatMap((item, index) => currencyProblems(item, index, fields.currency)),
    ...spanProblems(terms),
    ...startProblems(terms.start_date, now),
    ...dueProblems(terms),
    ...descriptionProblems(fields, items),
    ...(now === null ? [] : expiryProblems(fields.expires_at, now)),
  ]
}

function descriptionProblems(
  { description }: Given,
  items: readonly (GivenItem | null)[],
): ValidationError[] {
  const isDescribed = description !== undefined
  if (isDescribed || items.every((item) => item === null || item.description !== undefined)) return []
  const message =
    'A description is required: give `description` on the session, or a `description` on every item.'
  return [{ code: 'parameter_missing', param: 'description', message }]
}

function currencyProblems(
  item: GivenItem | null,
  index: number,
  currency: Given['currency'],
): ValidationError[] {
  const given = item?.price_data?.currency
  if (!given || !currency || given === currency) return []
  const param = `subscription_data[items][${index}][price_data][currency]`
  const message = `Item currency '${given}' differs from the session's '${currency}'. A subscription has one currency; leave the item's out to inherit it.`
  return [{ code: 'currency_mismatch', param, message }]
}

function spanProblems({ interval, interval_count: count = 1 }: GivenTerms): ValidationError[] {
  if (!interval || count === null || isSpanAllowed(interval, count)) return []
  const message = `interval_count ${count} with interval '${interval}' is out of range: one period may last 3 years at most (1095 days, 156 weeks, 36 months or 3 years).`
  return [{ code: 'interval_count_out_of_range', param: 'subscription_data[interval_count]', message }]
}

function startProblems(startDate: GivenTerms['start_date'], now: number | null): ValidationError[] {
  if (startDate === undefined || startDate === null) return []
  const param = 'subscription_data[start_date]'
  const problems = millisecondProblems('start_date', startDate, param)
  if (problems.length > 0 || now === null || startDate <= now + MAX_START_AHEAD_SECONDS) return problems
  const message = `start_date ${momentText(startDate)} is more than 5 years ahead. Give an earlier Unix time in seconds.`
  return [{ code: 'timestamp_invalid', param, message }]
}

function dueProblems({ collection_method: method, days_until_due: days }: GivenTerms): ValidationError[] {
  const isWrongAlready = days === null || method === null
  if (days === undefined || isWrongAlready || method === 'send_invoice') return []
  const message = `days_until_due ${days} is only for collection_method 'send_invoice'; leave it out or change the collection method.`
  return [{ code: 'days_until_due_not_allowed', param: 'subscription_data[days_until_due]', message }]
}

/** The completed session with what it made: always the last event of its transaction. */
export function completeCheckoutSession(
  session: CheckoutSession,
  made: Pick<CheckoutSession, 'payment_status' | 'subscription' | 'invoice' | 'payment' | 'payment_method'>,
  context: RuleContext,
): Mutation<CheckoutSession> {
  return mutation('checkout_session.completed', session, {
    ...session,
    ...made,
    status: 'complete',
    completed_at: context.now,
  })
}

/** Whether completing the session now charges nothing yet: the start lies ahead, or nothing is owed. */
export function isFreeToday(session: CheckoutSession, now: number): boolean {
  return session.amount_total === 0 || startsLater(session, now)
}

/** Whether the subscription would wait for its start date. */
export function startsLater(session: CheckoutSession, now: number): boolean {
  return (session.subscription_data.start_date ?? now) > now
}

/** Ends an open session; an attempt that still waits for 3-D Secure is canceled first. */
export function expireCheckoutSession(
  session: CheckoutSession,
  cause: { readonly reason: ExpirationReason; readonly payment: Payment | null },
  context: RuleContext,
): Change[] {
  const after: CheckoutSession = { ...session, ...expired(cause.reason, session, context.now) }
  return [
    ...cancelWaiting(cause.payment, 'session_expired', context),
    mutation('checkout_session.expired', session, after),
  ]
}
