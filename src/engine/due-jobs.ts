import {
  endPeriod,
  markOpenInvoiceOverdue,
  retryInvoicePayment,
  startPendingSubscription,
} from '../domain/billing/billing-cycle.ts'
import type { Invoice } from '../domain/billing/invoices.ts'
import { endDiscount, resumeCollection, type Subscription } from '../domain/billing/subscriptions.ts'
import { createDueTrialNotice, endDueTrial } from '../domain/billing/trials.ts'
import { settleDebit } from '../domain/completion/debit-outcome.ts'
import type { HostedSession } from '../domain/completion/hosted-session.ts'
import { completeProcessingSession } from '../domain/completion/issuer-decision.ts'
import { type Change, type RuleContext, removal, type StoredObject } from '../domain/core/changes.ts'
import { cancelExpiredPayment } from '../domain/payments/api-payments.ts'
import { type Dispute, decideDispute, openTestCardDispute } from '../domain/payments/disputes.ts'
import type { Payment } from '../domain/payments/payments.ts'
import { failRefund, succeedRefund } from '../domain/payments/refunds.ts'
import { type ApiKey, expireApiKey } from '../domain/sandboxes/api-keys.ts'
import { expireSandbox, type Sandbox } from '../domain/sandboxes/sandboxes.ts'
import { findDeadline, findNextSubscriptionJob } from '../domain/schedule/deadlines.ts'
import { isDeletedClock } from '../domain/time/test-clocks.ts'
import { setTimer, type TimerRecord } from '../domain/time/timers.ts'
import type { StoreReader } from '../store/port/store.ts'
import { commit } from './commit.ts'
import { runJobLoop } from './job-loop.ts'
import { loadDebitRecords, loadInvoiceRecords, loadSubscriptionBillingRecords } from './load-billing.ts'
import { loadReferencedRecord, loadReferencedSession } from './load-related.ts'
import { findSessionExpirer } from './load-session-expiration.ts'
import { loadSessionRecords } from './load-session-records.ts'
import { loadPaymentWithAuthentication } from './pending-authentication.ts'
import { getRetentionTime } from './retention-clock.ts'
import type { Runtime } from './runtime.ts'
import { isStoreUnavailableError } from './store-errors.ts'
import { getTimeReference, REAL_TIME, type TimeReference } from './time-reference.ts'

// More concurrent transactions make larger disk writes, and every other request waits for these writes.
const MAX_CONCURRENT_JOBS = 32

/**
 * After a jump of the clock, retention time is at most this many seconds before the time of the jump. Sandboxes with a
 * later creation time were created after the jump.
 */
const MAX_SETTLED_DELAY = 3600

/** A job that threw an error; its record stays due. */
export interface FailedJob {
  readonly record: StoredObject
  readonly error: unknown
}

export interface DrainQueueOptions {
  readonly queue: string
  /** Unix seconds. */
  readonly until: number
  /** True on a test clock: after a failed job, the later jobs would run out of order. */
  readonly stopAtFailure: boolean
  /** Returns whether the next due record may run; if not, no further job runs (default: all jobs run). */
  readonly mayRun?: (next: StoredObject) => boolean
}

/** The jobs that are still due after `drainQueue`. */
export interface RemainingJobs {
  readonly failed: readonly FailedJob[]
  /**
   * The number of sessions that wait for the result of a payment, and of sandboxes that wait after a jump of the clock.
   */
  readonly waiting: number
}

/** The due records that `drainQueue` does not try again, keyed by `getDueRecordKey`. */
interface SkippedRecords {
  readonly failed: Map<string, FailedJob>
  readonly waiting: Set<string>
}

/**
 * Runs the due jobs of a queue in order, each at its own due time, and resolves with the jobs that are still due.
 * Rejects when the store cannot write; the remaining jobs then stay due.
 */
export async function drainQueue(runtime: Runtime, options: DrainQueueOptions): Promise<RemainingJobs> {
  const skipped: SkippedRecords = { failed: new Map(), waiting: new Set() }
  await runJobLoop(runtime, MAX_CONCURRENT_JOBS, async (onStart) => {
    const outcome = await runNextJob(runtime, options, skipped, onStart)
    return outcome === 'failed' ? !options.stopAtFailure : outcome !== 'idle'
  })
  return { failed: [...skipped.failed.values()], waiting: skipped.waiting.size }
}

interface DueJob {
  readonly when: TimeReference
  readonly decide: (context: RuleContext) => readonly Change[]
  /** Runs after the transaction. */
  readonly finish?: (runtime: Runtime, changes: readonly Change[]) => unknown
}

interface JobResult {
  readonly outcome: 'done' | 'idle' | 'waiting'
  readonly finish?: () => unknown
}

async function runNextJob(
  runtime: Runtime,
  options: DrainQueueOptions,
  skipped: SkippedRecords,
  onStart: () => void,
): Promise<'done' | 'idle' | 'waiting' | 'failed'> {
  let due: StoredObject | null = null
  try {
    const { outcome, finish } = await commit<DueJob | null, JobResult>(runtime, {
      request: null,
      load: async (reader) => {
        onStart()
        due = await findNextDue(reader, options, skipped)
        return due === null ? null : loadDueJob(runtime, reader, due)
      },
      when: (job) => job?.when ?? REAL_TIME,
      decide: (job, context) => {
        if (job !== null) {
          const changes = job.decide(context)
          return { changes, result: { outcome: 'done', finish: () => job.finish?.(runtime, changes) } }
        }
        if (due === null) return { changes: [], result: { outcome: 'idle' } }
        skipped.waiting.add(getDueRecordKey(due))
        return { changes: [], result: { outcome: 'waiting' } }
      },
    })
    await finish?.()
    return outcome
  } catch (error) {
    if (isStoreUnavailableError(error)) throw error
    // When the store rejects the transaction before `load`, the next due record counts as failed. Reads still work.
    const record = (due as StoredObject | null) ?? (await findNextDue(runtime.store, options, skipped))
    if (record === null) return 'idle'
    skipped.failed.set(getDueRecordKey(record), { record, error })
    return 'failed'
  }
}

async function findNextDue(
  reader: StoreReader,
  { queue, until, stopAtFailure, mayRun = () => true }: DrainQueueOptions,
  { failed, waiting }: SkippedRecords,
): Promise<StoredObject | null> {
  // Concurrent jobs that were queued before the first failure must not run after it.
  if (stopAtFailure && failed.size > 0) return null
  // Skipped records stay due and are listed first, so the limit must include them.
  const due = await reader.listDue(queue, until, failed.size + waiting.size + 1)
  const next = due.find((one) => ![failed, waiting].some((skipped) => skipped.has(getDueRecordKey(one))))
  return next !== undefined && mayRun(next) ? next : null
}

/** Returns a key that is unique among due records: a timer has the same id as the object it belongs to. */
export function getDueRecordKey({ object, id }: StoredObject): string {
  return `${object} ${id}`
}

// Returns null for a session that cannot expire yet because its payment is still processing. Also returns null for a
// sandbox that expired only through a jump of the clock, because the deletion of its contents is final.
async function loadDueJob(
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
    case 'portal_session':
      return findSessionExpirer(reader, record as HostedSession)
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
    case 'subscription':
      return loadSubscriptionJob(reader, record as Subscription)
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
    // The removal is not awaited: a slow request of that sandbox would delay every other due job and request.
    finish: ({ sandboxes }) => sandboxes?.removeLater(sandbox),
  }
}

async function loadSubscriptionJob(
  reader: StoreReader,
  subscription: Subscription,
): Promise<DueJob['decide']> {
  const account = await loadSubscriptionBillingRecords(reader, subscription)
  switch (findNextSubscriptionJob(subscription)?.job) {
    case 'start':
      return (context) => startPendingSubscription(account, context)
    case 'trialEnd':
      return (context) => endDueTrial(account, context)
    case 'resumeCollection':
      return () => [resumeCollection(account.subscription)]
    case 'endDiscount':
      return () => [endDiscount(account.subscription)]
    case 'periodEnd':
      return (context) => endPeriod(account, context)
    default:
      throw new Error(`subscription ${subscription.id} has no job`)
  }
}

async function loadTimerJob(reader: StoreReader, timer: TimerRecord): Promise<DueJob> {
  const { what, id, at } = timer
  if (what === 'issuer_answers') return loadIssuerJob(reader, timer)
  const decide = await TIMER_DECISIONS[what](reader, id)
  return { when: { at }, decide: (context) => [removal(timer), ...decide(context)] }
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

// The issuer decides in real time. Its decision applies at the time of the session's test clock, once that is ready.
async function loadIssuerJob(reader: StoreReader, timer: TimerRecord): Promise<DueJob> {
  const session = await loadReferencedSession(reader, timer.id)
  const { test_clock } = session
  const clock = test_clock === null ? null : await reader.get('test_clocks', test_clock)
  const state = clock === null || isDeletedClock(clock) ? 'ready' : clock.status
  const ended = removal(timer)
  const inRealTime = (decide: DueJob['decide']): DueJob => ({ when: REAL_TIME, decide })
  // The deletion of a clock closes its sessions, and the decision then has no effect.
  if (state === 'advancing' || state === 'deleting')
    return inRealTime(({ wallNow }) => [setTimer({ ...timer, at: wallNow + ISSUER_RETRY_SECONDS })])
  // A failed clock can only be deleted, together with its customers.
  if (state === 'internal_failure') return inRealTime(() => [ended])
  const attempt = await loadSessionRecords(reader, session)
  const isOnClock = session.status === 'open' && test_clock !== null
  return {
    when: isOnClock ? getTimeReference(session) : { at: timer.at },
    // The real time of the decision. After a downtime, the current time would be later than that of the jobs that follow.
    decide: (context) => [ended, ...completeProcessingSession(attempt, { ...context, wallNow: timer.at })],
    finish: openImmediateDisputes,
  }
}

/**
 * Opens the disputes of payments that just succeeded. Otherwise, the disputes on a test clock would wait for its next
 * advance.
 */
export async function openImmediateDisputes(runtime: Runtime, changes: readonly Change[]): Promise<void> {
  for (const { event, after } of changes) {
    const due = event === 'payment.succeeded' && after !== null ? findDeadline(after) : null
    // The changes are durable. A job that fails stays due, and its next run reports the error.
    if (due) await drainQueue(runtime, { ...due, until: due.at, stopAtFailure: true }).catch(() => {})
  }
}
