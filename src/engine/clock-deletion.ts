import { forceDeleteCustomer } from '../domain/completion/customer-deletion.ts'
import { type Change, type Decision, isDeleted, toDeletion, toRemoval } from '../domain/core/changes.ts'
import { type OriginatingRequest, storeUnfinishedClockRequest } from '../domain/schedule/clock-procedures.ts'
import { beginClockDeletion, type DeletedTestClock, type TestClock } from '../domain/time/test-clocks.ts'
import type { StoreReader } from '../store/port/store.ts'
import { commit } from './commit.ts'
import { runJobLoop } from './job-loop.ts'
import { loadCustomerDependents } from './load-related.ts'
import type { Runtime } from './runtime.ts'

// A customer may have hundreds of objects, and requests wait behind the queued deletions.
const MAX_CONCURRENT_CUSTOMERS = 4

/**
 * Marks a clock as deleting, so that `runClockDeletion` deletes the clock. Changes nothing if the clock is already
 * being deleted.
 */
export function decideClockDeletion(clock: TestClock, request: OriginatingRequest): Decision<TestClock> {
  if (clock.status === 'deleting') return { changes: [], result: clock }
  const begun = beginClockDeletion(clock)
  return { changes: [begun, storeUnfinishedClockRequest(clock, request)], result: begun.after }
}

/** Deletes the customers of a clock, each with their dependents in one transaction, and finally the clock. */
export async function runClockDeletion(runtime: Runtime, clock: TestClock): Promise<DeletedTestClock> {
  const advance = await runtime.store.get('advances', clock.id)
  const request = advance?.request ?? null
  // The time of a clock that is being deleted never changes, so every deletion happens at its last time.
  const when = () => ({ at: clock.frozen_time })
  await runJobLoop(runtime, MAX_CONCURRENT_CUSTOMERS, (onStart) =>
    commit(runtime, {
      request,
      when,
      isDeletion: true,
      load: (reader) => {
        onStart()
        return loadNextCustomer(reader, clock)
      },
      decide: (next, context) => {
        const changes =
          next === null ? [] : forceDeleteCustomer(next.customer, next.dependents, context).changes
        return { changes, result: next !== null }
      },
    }),
  )
  return commit(runtime, {
    request,
    when,
    isDeletion: true,
    load: (reader) => reader.get('advances', clock.id),
    decide: (recorded) => {
      const deleted = toDeletion(clock)
      // Change nothing if a concurrent deletion request finished first.
      const changes: Change[] = recorded === null ? [] : [deleted, toRemoval(recorded)]
      return { changes, result: deleted.after }
    },
  })
}

async function loadNextCustomer(reader: StoreReader, { id }: TestClock) {
  const { data } = await reader.list('customers', { where: { test_clock: id }, limit: 1 })
  const [customer] = data
  // Deleted customers have no clock, so this check only narrows the type.
  if (customer === undefined || isDeleted(customer)) return null
  return { customer, dependents: await loadCustomerDependents(reader, customer.id) }
}
