import { type Asking, noteAdvance } from '../domain/advances.ts'
import { type Change, type Decision, removal } from '../domain/changes.ts'
import { endCustomer } from '../domain/customer-deletion.ts'
import { beginDeletion, type DeletedTestClock, deleteClock, type TestClock } from '../domain/test-clocks.ts'
import type { Reader } from '../store/port/store.ts'
import { loadAnyCustomer } from './clock-customers.ts'
import { commit } from './commit.ts'
import { takeSteps } from './drain-loop.ts'
import { loadCustomerBelongings } from './load-related.ts'
import type { Runtime } from './runtime.ts'

// A customer may have hundreds of objects, and a request that comes meanwhile waits for those before it.
const CUSTOMERS_UNDER_WAY = 4

/** Begins to delete a clock; what is on it goes by `deleteOn`. One that is being deleted already is only joined. */
export function beginToDelete(clock: TestClock, asking: Asking): Decision<TestClock> {
  if (clock.status === 'deleting') return { changes: [], result: clock }
  const begun = beginDeletion(clock)
  return { changes: [begun, noteAdvance(clock, asking)], result: begun.after }
}

/** Deletes the customers of a clock, each with all that ends with them in one transaction, and at last the clock. */
export async function deleteOn(runtime: Runtime, clock: TestClock): Promise<DeletedTestClock> {
  const advance = await runtime.store.get('advances', clock.id)
  const request = advance?.request ?? null
  // Nothing happens on the clock any more, so its time is that of all its endings.
  const when = () => ({ at: clock.frozen_time })
  await takeSteps(runtime, {
    underWay: CUSTOMERS_UNDER_WAY,
    step: (onTurn) =>
      commit(runtime, {
        request,
        when,
        load: (reader) => {
          onTurn()
          return loadNext(reader, clock)
        },
        decide: (next, context) => {
          const changes = next === null ? [] : endCustomer(next.customer, next.belongings, context).changes
          return { changes, result: next !== null }
        },
      }),
  })
  return commit(runtime, {
    request,
    when,
    load: (reader) => reader.get('advances', clock.id),
    decide: (noted) => {
      const deleted = deleteClock(clock)
      // Whoever joined comes here, too, and finds it done.
      const changes: Change[] = noted === null ? [] : [deleted, removal(noted)]
      return { changes, result: deleted.after }
    },
  })
}

async function loadNext(reader: Reader, clock: TestClock) {
  const customer = await loadAnyCustomer(reader, clock)
  return customer && { customer, belongings: await loadCustomerBelongings(reader, customer.id) }
}
