import { DomainError } from '../core/domain-error.ts'

/** A number of objects, and their sum in minor units. */
export interface CountedSum {
  readonly count: number
  readonly amount: number
}

/** Adds an object to a sum. Throws when the sum is larger than the largest amount of the API. */
export function addToSum({ count, amount }: CountedSum, more: number): CountedSum {
  const sum = amount + more
  // Both terms are safe integers, so a sum that is not exact is not safe either.
  if (Number.isSafeInteger(sum)) return { count: count + 1, amount: sum }
  const message = `A sum is larger than ${Number.MAX_SAFE_INTEGER} minor units, the largest amount of the API. Use a shorter interval or another range.`
  throw new DomainError('amount_too_large', message, { skipMasking: true })
}

/** Sorts totals by currency. */
export function sortByCurrency<T extends { readonly currency: string }>(list: readonly T[]): T[] {
  return list.toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
}
