import { type Creation, type ObjectUpdate, toCreation, toUpdate } from './changes.ts'

/** Internal record: a counter, incremented in the transaction of the counted operation. */
export interface Counter {
  readonly id: string
  readonly object: 'counter'
  readonly value: number
}

/** Id of the counter of finalized invoices, which makes their numbers gapless. */
export const INVOICE_COUNTER_ID = 'invoice_number'

/** Returns the id of the counter of a customer's charges with the test card that approves every other charge. */
export function getAlternatingCounterId(customer: string): string {
  return `every_other:${customer}`
}

/**
 * Returns the id of the counter of a card's off-session API payments, for test cards whose result depends on the
 * attempt number.
 */
export function getPaymentAttemptCounterId(paymentMethod: string): string {
  return `attempts:${paymentMethod}`
}

/** Increments a counter; null stands for a counter that does not exist yet. */
export function incrementCounter(
  counter: Counter | null,
  id: string,
): ObjectUpdate<Counter> | Creation<Counter> {
  const next: Counter = { id, object: 'counter', value: (counter?.value ?? 0) + 1 }
  return counter === null ? toCreation(null, next) : toUpdate(null, counter, next)
}
