import type { Invoice } from '../billing/invoices.ts'
import type { SUBSCRIPTION_JOBS } from '../billing/subscription-jobs.ts'
import type { Subscription } from '../billing/subscriptions.ts'
import type { HostedSession } from '../completion/hosted-session.ts'
import type { WebhookDelivery } from '../events/webhook-deliveries.ts'
import { findDebitOutcomeTime } from '../payments/debits.ts'
import { type Dispute, findNextDisputeJob } from '../payments/disputes.ts'
import { findPaymentExpiry, findTestCardDispute } from '../payments/payment-deadlines.ts'
import type { Payment } from '../payments/payments.ts'
import type { ApiKey } from '../sandboxes/api-keys.ts'
import type { Sandbox } from '../sandboxes/sandboxes.ts'
import { isDiscountEnded } from '../sessions/discounts.ts'
import type { TimerRecord } from '../time/timers.ts'

/**
 * The due time of a record's job; `at` is in Unix seconds. Among jobs that are due at the same time, jobs with a lower
 * rank run first.
 */
export interface Deadline {
  readonly queue: string
  readonly at: number
  readonly rank: number
}

/** The queue of jobs in real time. */
export const REAL_TIME_QUEUE = 'real'

// The ranks ensure that no job undoes the effect of an earlier job that is due at the same time. For example, a
// subscription resumes before its renewal is billed, and issuers decide before invoices are retried or overdue.
const RANK = {
  delivery: 0,
  sessionExpiry: 0,
  paymentExpiry: 0,
  start: 1,
  trialEnd: 1,
  refund_succeeds: 2,
  refund_fails: 2,
  issuer_answers: 2,
  debitOutcome: 2,
  cardDispute: 3,
  disputeDecision: 3,
  retry: 4,
  resumeCollection: 5,
  endDiscount: 6,
  periodEnd: 7,
  invoice_overdue: 8,
  trial_will_end: 8,
  evidenceDeadline: 9,
  expiry: 10,
}

/** The prefix of the queue names of test clocks. */
export const CLOCK_QUEUE_PREFIX = 'clock:'

/** Returns the queue of a test clock; for null, returns the real-time queue. */
export function getClockQueue(testClock: string | null): string {
  return testClock === null ? REAL_TIME_QUEUE : `${CLOCK_QUEUE_PREFIX}${testClock}`
}

/** Returns whether the jobs of a queue become due in real time, and not only when a test clock is advanced. */
export function isRealTimeQueue(queue: string): boolean {
  return !queue.startsWith(CLOCK_QUEUE_PREFIX)
}

/** Returns whether a record has a deadline in real time, so that storing the record can make a job due. */
export function hasRealTimeDeadline(record: { readonly object: string }): boolean {
  const deadline = findDeadline(record)
  return deadline !== null && isRealTimeQueue(deadline.queue)
}

/** Returns the queue of an endpoint's first delivery attempts. */
export function getFirstAttemptQueue(webhookEndpoint: string): string {
  return `deliveries:${webhookEndpoint}`
}

/** Returns the queue of an endpoint's retries and redeliveries, so that many due retries never delay first attempts. */
export function getRetryQueue(webhookEndpoint: string): string {
  return `retries:${webhookEndpoint}`
}

/**
 * Returns a record's deadline, computed from its fields; null if the record has no deadline. Computed deadlines are
 * never missing or outdated.
 */
export function findDeadline(record: { readonly object: string }): Deadline | null {
  return DEADLINES.get(record.object)?.(record as never) ?? null
}

/** Returns whether records of an object type can have deadlines. */
export function hasDeadlines({ object }: { readonly object: string }): boolean {
  return DEADLINES.has(object)
}

const DEADLINES = new Map<string, (record: never) => Deadline | null>([
  ['checkout_session', sessionDeadline],
  ['payment_session', sessionDeadline],
  ['card_session', sessionDeadline],
  ['portal_session', sessionDeadline],
  ['payment', paymentDeadline],
  ['dispute', disputeDeadline],
  ['subscription', subscriptionDeadline],
  ['invoice', invoiceDeadline],
  ['timer', timerDeadline],
  ['webhook_delivery', deliveryDeadline],
  ['api_key', expiryDeadline],
  ['sandbox', expiryDeadline],
])

function sessionDeadline(session: HostedSession): Deadline | null {
  if (session.status !== 'open') return null
  return { queue: getClockQueue(session.test_clock), at: session.expires_at, rank: RANK.sessionExpiry }
}

function paymentDeadline(payment: Payment): Deadline | null {
  const queue = getClockQueue(payment.test_clock)
  const outcomeAt = findDebitOutcomeTime(payment)
  if (outcomeAt !== null) return { queue, at: outcomeAt, rank: RANK.debitOutcome }
  const at = findPaymentExpiry(payment)
  if (at !== null) return { queue, at, rank: RANK.paymentExpiry }
  const { succeeded_at } = payment
  if (succeeded_at === null || findTestCardDispute(payment) === null) return null
  return { queue, at: succeeded_at, rank: RANK.cardDispute }
}

function disputeDeadline(dispute: Dispute): Deadline | null {
  const next = findNextDisputeJob(dispute)
  return next && { queue: getClockQueue(dispute.test_clock), at: next.at, rank: RANK[next.job] }
}

function subscriptionDeadline(subscription: Subscription): Deadline | null {
  const next = findNextSubscriptionJob(subscription)
  if (next === null) return null
  return { queue: getClockQueue(subscription.test_clock), at: next.at, rank: RANK[next.job] }
}

/** A job of a subscription, and its due time in Unix seconds. */
interface SubscriptionJob {
  readonly job: keyof typeof SUBSCRIPTION_JOBS
  readonly at: number
}

/** Returns the job of a subscription that is due first; null if the subscription has no job. */
export function findNextSubscriptionJob(subscription: Subscription): SubscriptionJob | null {
  if (subscription.status === 'canceled') return null
  const resumesAt = subscription.pause_collection?.resumes_at ?? null
  const period = periodJob(subscription)
  if (resumesAt === null) return period
  const resume: SubscriptionJob = { job: 'resumeCollection', at: resumesAt }
  return period === null ? resume : earlierJob(period, resume)
}

// A paused subscription has no period until it is resumed.
function periodJob(subscription: Subscription): SubscriptionJob | null {
  const { status, start_date, current_period_end: at, cancel_at_period_end, discount } = subscription
  if (status === 'paused') return null
  if (at === null) return { job: 'start', at: start_date }
  if (status === 'trialing') return { job: 'trialEnd', at }
  // The discount still applies to the last invoice of a subscription that ends.
  return { job: !cancel_at_period_end && isDiscountEnded(discount, at) ? 'endDiscount' : 'periodEnd', at }
}

function earlierJob(a: SubscriptionJob, b: SubscriptionJob): SubscriptionJob {
  return (a.at - b.at || RANK[a.job] - RANK[b.job]) <= 0 ? a : b
}

function invoiceDeadline({ next_payment_attempt, test_clock }: Invoice): Deadline | null {
  if (next_payment_attempt === null) return null
  return { queue: getClockQueue(test_clock), at: next_payment_attempt, rank: RANK.retry }
}

function timerDeadline({ what, at, test_clock }: TimerRecord): Deadline {
  return { queue: getClockQueue(test_clock), at, rank: RANK[what] }
}

function expiryDeadline({ status, expires_at }: ApiKey | Sandbox): Deadline | null {
  if (status !== 'active' || expires_at === null) return null
  return { queue: REAL_TIME_QUEUE, at: expires_at, rank: RANK.expiry }
}

function deliveryDeadline(delivery: WebhookDelivery): Deadline | null {
  if (delivery.status !== 'pending' || delivery.next_attempt_at === null) return null
  const isFirst = delivery.attempt === 1 && delivery.trigger === 'automatic'
  const queueOf = isFirst ? getFirstAttemptQueue : getRetryQueue
  return {
    queue: queueOf(delivery.webhook_endpoint),
    at: delivery.next_attempt_at,
    rank: RANK.delivery,
  }
}
