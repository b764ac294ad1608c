import type { HostedSession } from '../completion/hosted-session.ts'
import { type Change, type Decision, type RuleContext, toUpdate } from '../core/changes.ts'
import { DomainError } from '../core/domain-error.ts'
import type { Customer } from '../payments/customers.ts'
import { createTestClock, type TestClock } from '../time/test-clocks.ts'

/** A customer that moves from real time to a test clock, with one of the customer's sessions, if any. */
export interface CustomerToMove {
  readonly customer: Customer
  readonly session: HostedSession | null
}

/** Creates a test clock and moves a customer to it; null moves no customer. */
export function createTestClockForCustomer(
  customer: CustomerToMove | null,
  fields: { readonly frozen_time: number; readonly name?: string },
  context: RuleContext,
): Decision<TestClock> {
  const created = createTestClock(fields, context)
  const moved = customer === null ? [] : moveCustomer(customer, created.after)
  return { changes: [created, ...moved], result: created.after }
}

// A customer with sessions cannot move, because the customer's history would mix two clocks.
function moveCustomer({ customer, session }: CustomerToMove, { id: test_clock }: TestClock): Change[] {
  if (customer.test_clock !== null) {
    throw new DomainError(
      'customer_has_clock',
      `Cannot move customer '${customer.id}': it is already on test clock '${customer.test_clock}'. Create another customer with test_clock.`,
      { param: 'customer' },
    )
  }
  if (session !== null) {
    throw new DomainError(
      'customer_has_objects',
      `Cannot move customer '${customer.id}' to a test clock: it has ${session.object}s in real time. Create a new customer with test_clock.`,
      { param: 'customer' },
    )
  }
  return [toUpdate('customer.updated', customer, { ...customer, test_clock })]
}
