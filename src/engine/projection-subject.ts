import type { Subscription } from '../domain/billing/subscriptions.ts'
import type { StoredObject } from '../domain/core/changes.ts'
import type { Payment } from '../domain/payments/payments.ts'
import { findDeadline } from '../domain/schedule/deadlines.ts'
import type { Write } from '../store/port/store.ts'
import { getDueRecordKey } from './due-jobs.ts'
import type { ProjectionRecords } from './load-projection.ts'

/** The objects whose events a projection returns. */
export type ProjectionTracker = ReturnType<typeof createSubscriptionTracker>

/** Tracks the deadlines of a subscription, its invoices, their payments and its timers during a projection. */
export function createSubscriptionTracker({ id }: Subscription, records: ProjectionRecords) {
  const owners = new Set<string>([id])
  const dueTimes = new Map<string, number>()
  const owns = (object: StoredObject) =>
    object.id === id || ('subscription' in object && object.subscription === id)

  function put(record: StoredObject): void {
    // The outcome of a debit also changes its invoice.
    const isDebit = record.object === 'payment' && owners.has((record as Payment).invoice ?? '')
    if (owns(record) || isDebit) owners.add(record.id)
    // A timer has the id of the object to which it belongs.
    if (!owners.has(record.id)) return
    const deadline = findDeadline(record)
    if (deadline === null) dueTimes.delete(getDueRecordKey(record))
    else dueTimes.set(getDueRecordKey(record), deadline.at)
  }

  const { timers = [], ...others } = records
  for (const record of Object.values(others).flat()) put(record)
  for (const timer of timers) put(timer)
  return {
    owns,
    /** Updates the deadlines with the writes of a transaction; call it after each job. */
    applyWrites(writes: readonly Write[]): void {
      for (const write of writes) {
        if ('put' in write) put(write.put)
        else dueTimes.delete(getDueRecordKey(write.remove))
      }
    },
    /** Returns whether a job of an owned object is due until a time, in Unix seconds. No other job changes these objects. */
    hasJobs: (until: number) => dueTimes.values().some((at) => at <= until),
  }
}
