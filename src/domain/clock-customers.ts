import type { Change, Decision, RuleContext } from './changes.ts'
import type { CheckoutSession } from './checkout-sessions.ts'
import { type Customer, customerUpdated } from './customers.ts'
import { DomainError } from './domain-error.ts'
import type { PaymentSession } from './payment-sessions.ts'
import { createTestClock, type TestClock } from './test-clocks.ts'

/** A customer of real time who is to move to a test clock, with a session of theirs if there is one. */
export interface Mover {
  readonly customer: Customer
  readonly session: CheckoutSession | PaymentSession | null
}

/** A clock that stands at a moment, and a customer who moves to it; null when nobody does. */
export function createClockFor(
  mover: Mover | null,
  fields: { readonly frozen_time: number; readonly name?: string },
  context: RuleContext,
): Decision<TestClock> {
  const created = createTestClock(fields, context)
  const moved = mover === null ? [] : moveTo(created.after, mover)
  return { changes: [created, ...moved], result: created.after }
}

// Past a session or a subscription, the customer's own history would have two times.
function moveTo({ id: test_clock }: TestClock, { customer, session }: Mover): Change[] {
  if (customer.test_clock !== null) {
    throw new DomainError(
      'customer_has_clock',
      `Customer '${customer.id}' is on test clock '${customer.test_clock}' already, and stays there. Create another customer with test_clock.`,
      { param: 'customer' },
    )
  }
  if (session !== null) {
    throw new DomainError(
      'customer_has_objects',
      `Customer '${customer.id}' has ${session.object}s in real time and cannot move to a test clock. Create a new customer with test_clock.`,
      { param: 'customer' },
    )
  }
  return customerUpdated(customer, { ...customer, test_clock })
}
