import type { JsonObject } from '../domain/core/json-object.ts'

/** Returns whether a debit of an invoice has no outcome yet, so that the invoice cannot be paid or voided. */
export function hasPendingDebit({ status, attempted, last_payment_error: error }: JsonObject): boolean {
  return (status === 'open' || status === 'uncollectible') && attempted === true && error === null
}
