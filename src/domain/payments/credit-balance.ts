import { isDeleted, type ObjectUpdate, toUpdate } from '../core/changes.ts'
import { DomainError } from '../core/domain-error.ts'
import type { Customer, DeletedCustomer } from './customers.ts'

/** Returns the balance of a customer in a currency, in minor units: 0, or negative for a credit. */
export function getCreditBalance(customer: Customer | DeletedCustomer | null, currency: string): number {
  if (customer === null || isDeleted(customer)) return 0
  return new Map(Object.entries(customer.balances)).get(currency) ?? 0
}

/** Returns the amount to pay after the credit of a balance is used for a total, all in minor units. */
export function getAmountAfterCredit(total: number, balance: number): number {
  return Math.max(0, total + balance)
}

/**
 * Returns the balance fields of an invoice that is finalized with a given customer balance. A positive total uses up
 * credit, and a negative total becomes credit.
 */
export function calculateBalanceFields(total: number, balance: number) {
  const amount_due = getAmountAfterCredit(total, balance)
  const ending_balance = total < 0 ? balance + total : balance + (total - amount_due)
  return {
    starting_balance: balance,
    ending_balance,
    balance_applied: ending_balance - balance,
    amount_due,
    amount_remaining: amount_due,
  }
}

/** Returns the change of a customer's balance by an amount in minor units; empty if the balance does not change. */
export function createBalanceChange(
  customer: Customer | DeletedCustomer,
  currency: string,
  amount: number,
): ObjectUpdate<Customer>[] {
  // A deleted customer has no balance.
  if (amount === 0 || isDeleted(customer)) return []
  const balance = getCreditBalance(customer, currency) + amount
  if (!Number.isSafeInteger(balance)) throw balanceTooLargeError(customer, currency)
  const others = Object.entries(customer.balances).filter(([code]) => code !== currency)
  const balances = Object.fromEntries(balance === 0 ? others : [...others, [currency, balance]])
  return [toUpdate('customer.updated', customer, { ...customer, balances })]
}

function balanceTooLargeError({ id }: Customer, currency: string): DomainError {
  return new DomainError(
    'amount_too_large',
    `The credit of customer '${id}' in ${currency} is larger than 2^53-1 minor units, which is the limit. Use it up first.`,
  )
}
