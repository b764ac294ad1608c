import type { Invoice } from '../../domain/billing/invoices.ts'
import { isDeleted } from '../../domain/core/changes.ts'
import type { Invariant } from './snapshot.ts'

/**
 * P49: a finalized invoice changes the balance of its customer from `starting_balance` to `ending_balance`, by no more
 * than its total. The balances of a customer are the sum of these changes, without void invoices.
 */
export const balancesAddUp: Invariant = function* ({ records }) {
  const sums = new Map<string, number>()
  for (const invoice of records.invoices) {
    yield* balanceProblems(invoice)
    const { status, customer, currency } = invoice
    const key = `${customer} ${currency}`
    if (status !== 'void') sums.set(key, (sums.get(key) ?? 0) + invoice.balance_applied)
  }
  for (const customer of records.customers) {
    if (isDeleted(customer)) continue
    const balances = new Map(Object.entries(customer.balances))
    for (const [currency, balance] of balances) {
      if (!Number.isSafeInteger(balance) || balance >= 0)
        yield `${customer.id}: balance ${balance} ${currency}`
    }
    const keys = [...sums.keys()].filter((key) => key.startsWith(`${customer.id} `))
    const currencies = new Set([...balances.keys(), ...keys.map((key) => key.split(' ')[1] ?? '')])
    for (const currency of currencies) {
      const [balance, sum] = [balances.get(currency) ?? 0, sums.get(`${customer.id} ${currency}`) ?? 0]
      if (balance !== sum)
        yield `${customer.id}: balance ${balance} ${currency}, but its invoices add up to ${sum}`
    }
  }
}

function* balanceProblems(invoice: Invoice): Generator<string> {
  const { id, total, starting_balance: start, ending_balance: end, finalized_at } = invoice
  const applied = invoice.balance_applied
  if (start === null || end === null) {
    if (start !== end || finalized_at !== null || applied !== 0) yield `${id}: balance ${start} to ${end}`
    return
  }
  if (finalized_at === null) yield `${id}: not finalized, but has a balance`
  if (start > 0 || end > 0) yield `${id}: balance ${start} to ${end} is a debt`
  if (applied !== end - start) yield `${id}: balance_applied is ${applied}, not ${end - start}`
  const used = total < 0 ? total : Math.min(total, -start)
  if (applied !== used) yield `${id}: balance_applied is ${applied}, not ${used}`
}
