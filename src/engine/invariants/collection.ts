import type { Invoice } from '../../domain/billing/invoices.ts'
import { isHardDecline } from '../../domain/cards/declines.ts'
import { MAX_INVOICE_RETRIES } from '../../domain/core/dunning.ts'
import type { Payment } from '../../domain/payments/payments.ts'
import {
  createClockTimeLookup,
  findOwnerMismatches,
  groupEventsByObject,
  type Invariant,
  sortBySequence,
} from './snapshot.ts'

/** P20: a pending subscription has no invoices, and invoices of a canceled subscription are no longer collected. */
export const onlyLiveSubscriptionsAreBilled: Invariant = function* ({ records }) {
  const subscriptions = new Map(records.subscriptions.map((one) => [one.id, one]))
  for (const { id, status, period_index, current_period_start, ended_at } of records.subscriptions) {
    if (status === 'pending' && (period_index !== -1 || current_period_start !== null))
      yield `${id}: pending, but has a current period`
    if ((status === 'canceled') !== (ended_at !== null)) yield `${id}: ${status}, ended at ${ended_at}`
  }
  for (const invoice of records.invoices) {
    const { id, status, created, next_payment_attempt, auto_advance } = invoice
    const subscription = subscriptions.get(invoice.subscription ?? '')
    if (subscription?.status === 'pending') yield `${id}: belongs to a pending subscription`
    if (subscription?.status !== 'canceled') continue
    if (next_payment_attempt !== null) yield `${id}: has a retry, but its subscription is canceled`
    if (auto_advance) yield `${id}: ${status} with auto_advance, but its subscription is canceled`
    if (created > (subscription.ended_at ?? 0)) yield `${id}: created after its subscription ended`
  }
}

/**
 * P21: a subscription is past due or unpaid only while one of its open invoices was charged or is overdue. It is active
 * only while no open invoice has a failed charge or is overdue. A debit without an outcome has not failed.
 */
export const overdueSubscriptionsOweMoney: Invariant = function* (snapshot) {
  const timeOf = createClockTimeLookup(snapshot)
  const open = Map.groupBy(
    snapshot.records.invoices.filter(({ status }) => status === 'open'),
    ({ subscription }) => subscription,
  )
  for (const { id, status, test_clock } of snapshot.records.subscriptions) {
    const now = timeOf(test_clock)
    const invoices = open.get(id) ?? []
    const isBehind = status === 'past_due' || status === 'unpaid'
    // When the time is unknown, any invoice with a due date may be overdue.
    const isOwing = invoices.some((invoice) => wasCharged(invoice) || isDueBy(invoice, now ?? Infinity))
    if (isBehind && !isOwing) yield `${id}: ${status}, but owes nothing`
    // An invoice that is due exactly now becomes overdue only when time advances.
    const isLate = invoices.some(
      (invoice) => (wasFailed(invoice) && invoice.auto_advance) || isDueBy(invoice, (now ?? 0) - 1),
    )
    if (status === 'active' && isLate) yield `${id}: active, but has an overdue invoice`
  }
}

// A subscription stays past due while the next debit of its invoice has no outcome.
function wasCharged({ collection_method, attempted }: Invoice): boolean {
  return collection_method === 'charge_automatically' && attempted
}

function wasFailed(invoice: Invoice): boolean {
  return wasCharged(invoice) && invoice.last_payment_error !== null
}

function isDueBy({ due_date }: Invoice, now: number): boolean {
  return due_date !== null && due_date <= now
}

/** P22: only open invoices that are charged automatically are retried, at most as often as the dunning policy allows. */
export const retriesAreBounded: Invariant = function* (snapshot) {
  const retries = snapshot.dunning?.retry_days.length ?? MAX_INVOICE_RETRIES
  const timeOf = createClockTimeLookup(snapshot)
  for (const invoice of snapshot.records.invoices) {
    const { id, status, auto_advance, collection_method, attempted, attempt_count } = invoice
    const { next_payment_attempt: next } = invoice
    if (attempted !== attempt_count > 0) yield `${id}: attempted ${attempted} after ${attempt_count} attempts`
    if (attempt_count > retries + 1) yield `${id}: ${attempt_count} attempts, but ${retries} retries`
    if (next === null) continue
    const isCollected = status === 'open' && auto_advance && collection_method === 'charge_automatically'
    if (!isCollected) yield `${id}: ${status} and ${collection_method}, but has a retry`
    if (attempt_count > retries) yield `${id}: has a retry after ${attempt_count} attempts`
    const now = timeOf(invoice.test_clock)
    if (now !== null && next <= now) yield `${id}: was not retried at ${next}`
  }
}

/** P23: a canceled subscription does not change again. */
export const canceledSubscriptionsAreFinal: Invariant = function* (snapshot) {
  const history = groupEventsByObject(snapshot)
  for (const { id, status } of snapshot.records.subscriptions) {
    const types = (history.get(id) ?? []).map(({ type }) => type)
    const at = types.indexOf('subscription.canceled')
    if (at !== -1 && at !== types.length - 1) yield `${id}: ${types.at(-1)} after it was canceled`
    if (types.length > 0 && (status === 'canceled') !== (at !== -1))
      yield `${id}: ${status}, but its events say otherwise`
  }
}

/** P24: no automatic attempt uses a card whose last decline for the same invoice was hard. */
export const hardDeclinesEndRetries: Invariant = function* (snapshot) {
  const declined = new Map<string, boolean>()
  for (const { type, data, request } of sortBySequence(snapshot.records.events)) {
    if (data.object.object !== 'payment') continue
    const payment = data.object as Payment
    if (payment.invoice === null || payment.payment_method === null) continue
    const charged = `${payment.invoice} ${payment.payment_method}`
    // An automatic attempt has no request and is off-session.
    const isAutomatic = type === 'payment.created' && request === null && payment.off_session
    if (isAutomatic && declined.get(charged)) yield `${payment.id}: charges a card after a hard decline`
    if (type !== 'payment.failed') continue
    declined.set(charged, isHardDecline(payment.failure_code ?? '', payment.decline_code))
  }
}

/** P34: related objects use the same clock. */
export const relatedObjectsShareClock: Invariant = (snapshot) => findOwnerMismatches(snapshot, 'test_clock')
