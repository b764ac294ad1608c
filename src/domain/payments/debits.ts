import { listCardholderNameErrors } from '../cards/card-validation.ts'
import { findTestIban, findTestIbanByAccount, listIbanErrors } from '../cards/test-ibans.ts'
import type { RuleContext } from '../core/changes.ts'
import { throwValidationErrors } from '../core/domain-error.ts'
import { toPaymentFailure } from './card-authorization.ts'
import type { BankAccountDetails } from './payment-methods.ts'
import type { Payment, PaymentFailure } from './payments.ts'

/**
 * Validates an entered IBAN and returns the account without the IBAN, with a new mandate. Throws all validation errors
 * together. An IBAN that is not a test IBAN is an error, so that no data of a real account is stored.
 */
export function resolveTestIban(
  { iban, name }: { readonly iban: string; readonly name?: string | null },
  context: RuleContext,
): { readonly card: BankAccountDetails; readonly name: string | null } {
  throwValidationErrors([...listIbanErrors(iban), ...listCardholderNameErrors(name ?? '')])
  const account = findTestIban(iban)
  if (account === undefined) throw new Error('a valid IBAN is a test IBAN')
  return {
    card: {
      country: account.iban.slice(0, 2),
      last4: account.iban.slice(-4),
      mandate: context.newId('mandate_'),
      fingerprint: context.fingerprint(account.iban),
      test_behavior: account.alias,
    },
    name: name || null,
  }
}

/** Returns the time of the outcome of a debit, in Unix seconds; null for other payments and after the outcome. */
export function findDebitOutcomeTime({ status, created, payment_method_details }: Payment): number | null {
  const { sepa_debit } = payment_method_details
  if (status !== 'processing' || sepa_debit === null) return null
  return created + (findTestIbanByAccount(sepa_debit)?.seconds ?? 0)
}

/**
 * Returns the failure of a debit at its outcome; null if the bank pays. A fault on payments replaces the outcome of the
 * test IBAN.
 */
export function findDebitFailure(
  { customer, payment_method_details }: Payment,
  { issuerFaults }: RuleContext,
): PaymentFailure | null {
  const { sepa_debit } = payment_method_details
  const decision =
    issuerFaults?.decide(customer) ?? (sepa_debit && findTestIbanByAccount(sepa_debit)?.outcome)
  if (decision?.kind !== 'decline') return null
  const { code, decline_code } = decision
  const message = 'The bank returned the debit. Use another payment method.'
  return { ...toPaymentFailure(decision), code: decline_code ?? code, message }
}
