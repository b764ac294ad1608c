import type { CustomerObjectTable } from '../../../api/resources/catalog.ts'
import { isJsonObject, type JsonObject } from '../../../domain/core/json-object.ts'
import { formatCard } from '../../../presentation/card-brands.ts'
import { findCurrency } from '../../../presentation/field-values.ts'
import { hasPendingDebit } from '../../../presentation/pending-debit.ts'
import { humanizeName } from '../../../presentation/words.ts'
import { getFieldLabel } from '../../format/differences.ts'
import { createFieldText, type FieldText } from '../../format/format-field.ts'
import { formatDate } from '../../format/format-time.ts'

/** A field of an object for the heading of its screen. */
export interface HeadField {
  readonly field: string
  readonly label: string
  readonly value: FieldText
}

/** Matches fields that the screen shows elsewhere, or that are not useful to the user. */
const OMITTED =
  /^(?:id|object|livemode|status|data|api_version|deleted|currency|interval|interval_count|period_index|billing_cycle_anchor|failure_message|lines|taxes|request_headers|response_body|response_body_truncated|http_status|error_message)$/

/**
 * Returns the fields of an object that have a value, as text. Fields of nested objects are included, except objects and
 * arrays inside them.
 */
export function listHeadFields(object: JsonObject): HeadField[] {
  const currency = findCurrency(object)
  return Object.entries(object).flatMap(([field, value]) => {
    if (OMITTED.test(field)) return []
    const method = paymentMethodOf(value)
    if (method !== null) return textField(field, ...method)
    if (Array.isArray(value) && field !== 'items') {
      const isText = value.every((one) => typeof one === 'string')
      return isText ? textField(field, getFieldLabel(field), value.join(', ')) : []
    }
    if (!isJsonObject(value) || field === 'balances') return anyField(field, value, currency)
    // A separate panel shows the error of a request.
    return field === 'error' ? [] : innerFields(field, value, currency)
  })
}

function innerFields(field: string, inner: JsonObject, currency: string | null): HeadField[] {
  return Object.entries(inner).flatMap(([name, value]) => {
    const path = `${field}.${name}`
    if (typeof value === 'object') return []
    // The merchant chooses the names and values of metadata.
    return field === 'metadata' ? textField(path, path, String(value)) : anyField(path, value, currency)
  })
}

function anyField(path: string, value: unknown, currency: string | null): HeadField[] {
  const text = createFieldText(path, value, currency)
  // The panel of related objects shows the ids.
  if (value === false || text.kind === 'none' || text.kind === 'id') return []
  return [{ field: path, label: getFieldLabel(path), value: text }]
}

function textField(field: string, label: string, text: string): HeadField[] {
  return [{ field, label, value: { kind: 'text', text } }]
}

/** Returns the label and the text of a card or a bank account, or of the details that contain it. */
function paymentMethodOf(value: unknown): readonly [label: string, text: string] | null {
  if (!isJsonObject(value)) return null
  const method = [value['card'], value['sepa_debit']].find(isJsonObject) ?? value
  const { brand, last4, exp_month, exp_year, mandate } = method
  if (typeof last4 !== 'string') return null
  if (typeof mandate === 'string') return ['Bank account', formatCard({ brand: 'sepa_debit', last4 })]
  return typeof brand === 'string'
    ? ['Card', `${formatCard({ brand, last4 })}, valid to ${exp_month}/${exp_year}`]
    : null
}

/** Describes the state of an object in one or two sentences; empty if its status needs no explanation. */
export function describeState(object: JsonObject): string {
  if (object['deleted'] === true) return 'Deleted. Its history stays readable.'
  return new Map(Object.entries(STATES)).get(String(object['object']))?.(object) ?? ''
}

const NOTHING = () => ''

const STATES: CustomerObjectTable<(object: JsonObject) => string> = {
  subscription: describeSubscription,
  invoice: describeInvoice,
  payment: ({ status, failure_message, capture_before, amount_refunded, refunded, amount_disputed }) => {
    if (typeof failure_message === 'string') return failure_message
    if (status === 'requires_capture') return `Reserved until ${dateOf(capture_before)}; not charged yet.`
    if (status === 'processing') return 'The bank has not decided yet.'
    if (status === 'requires_action') return 'Waits for the 3-D Secure authentication of the customer.'
    if (Number(amount_disputed) > 0) return 'Charged, then disputed: the bank withdrew the amount.'
    if (refunded === true) return 'Charged, then refunded in full.'
    return Number(amount_refunded) > 0 ? 'Charged, then refunded in part.' : ''
  },
  checkout_session: describeSession,
  payment_session: describeSession,
  card_session: describeSession,
  portal_session: describeSession,
  customer: ({ default_payment_method }) =>
    default_payment_method === null ? 'Has no saved card, so renewals cannot be charged.' : '',
  payment_method: ({ customer }) =>
    customer === null ? 'Detached from its customer: it cannot be charged.' : '',
  invoice_item: ({ invoice }) => (invoice === null ? 'Waits for the next invoice.' : ''),
  refund: NOTHING,
  dispute: describeDispute,
  coupon: ({ valid }) => (valid === false ? 'No redemptions are left.' : ''),
  webhook_delivery: ({ error_message: text }) => (typeof text === 'string' ? text : ''),
}

function describeSubscription(object: JsonObject): string {
  const { status, current_period_end: end, cancel_at_period_end, start_date, ended_at } = object
  const rhythm = `Billed every ${describeInterval(object)}.`
  switch (status) {
    case 'pending':
      return `${rhythm} Starts on ${dateOf(start_date)}.`
    case 'trialing':
      return `In a free trial until ${dateOf(end)}. ${rhythm}`
    case 'past_due':
      return `${rhythm} A charge was declined; the invoice is still open.`
    case 'unpaid':
      return 'Every retry was declined. New invoices are not charged.'
    case 'paused':
      return 'The trial ended without a card. The subscription waits until it has a card and is resumed.'
    case 'canceled':
      return `Ended on ${dateOf(ended_at)}: ${words(object['cancellation_reason'])}${Number(ended_at) < Number(end) ? `, before the end of its period on ${dateOf(end)}` : ''}.`
    default:
      return `${rhythm} The current period ends on ${dateOf(end)}${cancel_at_period_end === true ? ', and the subscription with it' : ''}.`
  }
}

function describeDispute({ status, evidence_due_by, evidence }: JsonObject): string {
  const due = dateOf(evidence_due_by)
  const submitted = isJsonObject(evidence) ? evidence['submitted_at'] : null
  switch (status) {
    case 'needs_response':
      return `Lost on ${due} unless you submit evidence.`
    case 'under_review':
      return `The bank decides an hour after the submission on ${dateOf(submitted)}.`
    case 'warning_needs_response':
    case 'warning_under_review':
      return `An inquiry: no money is withdrawn. It closes on ${due}, or when you refund the payment.`
    default:
      return ''
  }
}

function describeInterval({ interval, interval_count: count }: JsonObject): string {
  return count === 1 ? String(interval) : `${count} ${interval}s`
}

function describeInvoice(object: JsonObject): string {
  const { status, next_payment_attempt, due_date, attempt_count } = object
  if (status !== 'open') return status === 'draft' ? 'Not finalized: it has no number yet.' : ''
  if (typeof next_payment_attempt === 'number')
    return `${attempt_count} of its charges failed. The next one is on ${dateOf(next_payment_attempt)}.`
  if (hasPendingDebit(object)) return 'A debit of it has no outcome yet.'
  return typeof due_date === 'number'
    ? `The customer pays it until ${dateOf(due_date)}.`
    : 'No charge is planned.'
}

function describeSession({ status, expires_at, expiration_reason, ...rest }: JsonObject): string {
  const isHold = rest['capture_method'] === 'manual' && rest['payment_status'] === 'unpaid'
  if (status === 'complete' && isHold) return 'Its amount was reserved and is not captured.'
  if (status === 'open') return `Waits for the customer until ${dateOf(expires_at)}.`
  return status === 'expired' ? `Expired: ${words(expiration_reason)}.` : ''
}

function dateOf(seconds: unknown): string {
  return typeof seconds === 'number' ? formatDate(seconds) : 'an unknown date'
}

function words(code: unknown): string {
  return typeof code === 'string' ? humanizeName(code).toLowerCase() : 'for an unknown reason'
}
