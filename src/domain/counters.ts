import { type Creation, creation, type Mutation, mutation } from './changes.ts'

/** How often something was done; a private record, changed in the transaction that does it. */
export interface Counter {
  readonly id: string
  readonly object: 'counter'
  readonly value: number
}

/** The counter of finalized invoices, which keeps their numbers gapless. */
export const INVOICE_COUNTER = 'invoice_number'

/** The counter of a customer's charges with the test card that approves every other one. */
export function alternatingCounter(customer: string): string {
  return `every_other:${customer}`
}

/** One more; null is a counter that was never used. */
export function countUp(counter: Counter | null, id: string): Mutation<Counter> | Creation<Counter> {
  const next: Counter = { id, object: 'counter', value: (counter?.value ?? 0) + 1 }
  return counter === null ? creation(null, next) : mutation(null, counter, next)
}
