import { markOpenInvoiceOverdue, retryInvoicePayment } from '../domain/billing/billing-cycle.ts'
import type { Invoice } from '../domain/billing/invoices.ts'
import { SUBSCRIPTION_JOBS } from '../domain/billing/subscription-jobs.ts'
import type { Subscription } from '../domain/billing/subscriptions.ts'
import { createDueTrialNotice } from '../domain/billing/trials.ts'
import { settleDebit } from '../domain/completion/debit-outcome.ts'
import { expireSessionWithDependents, type HostedSession } from '../domain/completion/hosted-session.ts'
import { completeProcessingSession } from '../domain/completion/issuer-decision.ts'
import {
  type Change,
  isDeleted,
  type RuleContext,
  type StoredObject,
  toRemoval,
} from '../domain/core/changes.ts'
import { cancelExpiredPayment } from '../domain/payments/api-payments.ts'
import { type Dispute, decideDispute, openTestCardDispute } from '../domain/payments/disputes.ts'
import { isPaymentProcessing } from '../domain/payments/payment-processing.ts'
import type { Payment } from '../domain/payments/payments.ts'
import { failRefund, succeedRefund } from '../domain/payments/refunds.ts'
import { type ApiKey, expireApiKey } from '../domain/sandboxes/api-keys.ts'
import { expireSandbox, type Sandbox } from '../domain/sandboxes/sandboxes.ts'
import { findDeadline, findNextSubscriptionJob } from '../domain/schedule/deadlines.ts'
import { createTimerChange, type TimerRecord } from '../domain/time/timers.ts'
import type { StoreReader } from '../store/port/store.ts'
import { loadDebitRecords, loadInvoiceRecords, loadSubscriptionBillingRecords } from './load-billing.ts'
import { loadReferencedRecord, loadReferencedSession, loadSessionDependents } from './load-related.ts'
import { loadSessionRecords } from './load-session-records.ts'
import { loadPaymentWithAuthentication } from './pending-authentication.ts'
import { getRetentionTime } from './retention-clock.ts'
import type { Runtime } from './runtime.ts'
import { getTimeReference, REAL_TIME, type TimeReference } from './time-reference.ts'

/**
 * After a jump of the clock, retention time is at most this many seconds before the time of the jump. Sandboxes with a
 * later creation time were created after the jump.
 */
const MAX_SETTLED_DELAY = 3600

/** A due job: its time, its changes, and the work after its transaction. */
export interface DueJob {
  readonly when: TimeReference
  readonly decide: (context: RuleContext) => readonly Change[]
  /** Runs after the transaction of the job. */
  readonly finish?: (runtime: Runtime) => unknown
  /** Whether payments that succeed open the disputes of their test cards immediately. */
  readonly opensDisputes?: boolean
}

/**
 * Loads the job of a due record. Returns null for a session that cannot expire yet because its payment is still
 * processing. Also returns null for a sandbox that expired only through a jump of the clock, because the deletion of
 * its contents is final.
 */
export async function loadDueJob(
  runtime: Runtime,
  reader: StoreReader,
  record: StoredObject,
): Promise<DueJob | null> {
  const deadline = findDeadline(record)
  if (deadline === null) throw new Error(`${record.object} ${record.id} has no deadline`)
  if (record.object === 'timer') return loadTimerJob(reader, record as TimerRecord)
  if (record.object === 'sandbox') return loadSandboxExpiry(runtime, record as Sandbox, deadline.at)
  const decide = await loadDecision(reader, record)
  return decide && { when: { at: deadline.at }, decide }
}

async function loadDecision(reader: StoreReader, record: StoredObject): Promise<DueJob['decide'] | null> {
  switch (record.object) {
    case 'checkout_session':
    case 'payment_session':
    case 'card_session':
    case 'portal_session': {
      const records = await loadSessionDependents(reader, record as HostedSession)
      if (isPaymentProcessing(records.payment)) return null
      return (context) => expireSessionWithDependents(records, 'time', context)
    }
    case 'payment': {
      const payment = record as Payment
      if (payment.status === 'succeeded') return (context) => openTestCardDispute(payment, context)
      if (payment.status === 'processing') {
        const debit = await loadDebitRecords(reader, payment)
        return (context) => settleDebit(debit, context)
      }
      const pending = await loadPaymentWithAuthentication(reader, payment)
      return (context) => cancelExpiredPayment(pending, context)
    }
    case 'dispute': {
      const dispute = record as Dispute
      const payment = await loadReferencedRecord(reader, 'payments', dispute.payment)
      return (context) => decideDispute(dispute, payment, context)
    }
    case 'subscription': {
      const account = await loadSubscriptionBillingRecords(reader, record as Subscription)
      const next = findNextSubscriptionJob(account.subscription)
      if (next === null) throw new Error(`subscription ${record.id} has no job`)
      return (context) => SUBSCRIPTION_JOBS[next.job](account, context)
    }
    case 'invoice': {
      const records = await loadInvoiceRecords(reader, record as Invoice)
      return (context) => retryInvoicePayment(records, context)
    }
    case 'api_key':
      return () => [expireApiKey(record as ApiKey)]
    default:
      throw new Error(`no job exists for a due ${record.object}`)
  }
}

function loadSandboxExpiry(runtime: Runtime, sandbox: Sandbox, at: number): DueJob | null {
  const settled = getRetentionTime(runtime)
  if (at > settled && sandbox.created <= settled + MAX_SETTLED_DELAY) return null
  return {
    when: { at },
    decide: () => [expireSandbox(sandbox)],
    // Do not await the removal, because a slow request of that sandbox would delay every other due job and request.
    finish: ({ sandboxes }) => sandboxes?.removeLater(sandbox),
  }
}

async function loadTimerJob(reader: StoreReader, timer: TimerRecord): Promise<DueJob> {
  const { what, id, at } = timer
  if (what === 'issuer_answers') return loadIssuerJob(reader, timer)
  const decide = await TIMER_DECISIONS[what](reader, id)
  return { when: { at }, decide: (context) => [toRemoval(timer), ...decide(context)] }
}

const TIMER_DECISIONS: Readonly<
  Record<
    Exclude<TimerRecord['what'], 'issuer_answers'>,
    (reader: StoreReader, id: string) => Promise<DueJob['decide']>
  >
> = {
  async invoice_overdue(reader, id) {
    const invoice = await loadReferencedRecord(reader, 'invoices', id)
    const { account } = await loadInvoiceRecords(reader, invoice)
    return (context) => markOpenInvoiceOverdue(account, invoice, context)
  },
  async trial_will_end(reader, id) {
    const subscription = await loadReferencedRecord(reader, 'subscriptions', id)
    return () => createDueTrialNotice(subscription)
  },
  async refund_succeeds(reader, id) {
    const refund = await loadReferencedRecord(reader, 'refunds', id)
    return () => [succeedRefund(refund)]
  },
  async refund_fails(reader, id) {
    const refund = await loadReferencedRecord(reader, 'refunds', id)
    const payment = await loadReferencedRecord(reader, 'payments', refund.payment)
    return () => failRefund(refund, payment)
  },
}

/** The delay before the issuer's decision is tried again while the session's test clock is busy. */
const ISSUER_RETRY_SECONDS = 1

// The issuer decides in real time. The decision applies at the time of the test clock, once the clock is ready.
async function loadIssuerJob(reader: StoreReader, timer: TimerRecord): Promise<DueJob> {
  const session = await loadReferencedSession(reader, timer.id)
  const { test_clock } = session
  const clock = test_clock === null ? null : await reader.get('test_clocks', test_clock)
  const state = clock === null || isDeleted(clock) ? 'ready' : clock.status
  const ended = toRemoval(timer)
  const inRealTime = (decide: DueJob['decide']): DueJob => ({ when: REAL_TIME, decide })
  // Try again later. If the clock is deleted, its sessions are closed and the decision has no effect.
  if (state === 'advancing' || state === 'deleting')
    return inRealTime(({ wallNow }) => [createTimerChange({ ...timer, at: wallNow + ISSUER_RETRY_SECONDS })])
  // Drop the decision, because a failed clock can only be deleted, together with its customers.
  if (state === 'internal_failure') return inRealTime(() => [ended])
  const attempt = await loadSessionRecords(reader, session)
  const isOnClock = session.status === 'open' && test_clock !== null
  return {
    when: isOnClock ? getTimeReference(session) : { at: timer.at },
    // The real time of the decision. After a downtime, the current time would be later than the next jobs.
    decide: (context) => [ended, ...completeProcessingSession(attempt, { ...context, wallNow: timer.at })],
    opensDisputes: true,
  }
}
