import { isIban, normalizeIban } from '../text/iban-masking.ts'
import type { DisputeBehavior, IssuerDecision } from './test-cards.ts'

const DAY = 86_400

/** A test IBAN, and the outcome of each debit of its account. */
export interface TestIban {
  readonly iban: string
  readonly alias: string
  /** The time from a debit to its outcome, in seconds. */
  readonly seconds: number
  readonly outcome: IssuerDecision
  readonly disputes: DisputeBehavior | null
}

function testIban(iban: string, alias: string, differences: Partial<TestIban> = {}): TestIban {
  return { iban, alias, seconds: 3 * DAY, outcome: { kind: 'approve' }, disputes: null, ...differences }
}

/** All accepted bank accounts: test IBANs of Stripe, with similar outcomes. */
export const TEST_IBANS: readonly TestIban[] = [
  testIban('DE89370400440532013000', 'sepa_debit'),
  testIban('DE62370400440532013001', 'sepa_debit_fails', {
    outcome: { kind: 'decline', code: 'card_declined', decline_code: 'insufficient_funds' },
  }),
  testIban('DE35370400440532013002', 'sepa_debit_disputed', { disputes: { reason: 'fraudulent' } }),
  testIban('DE08370400440532013003', 'sepa_debit_slow', { seconds: 7 * DAY }),
]

/** The aliases of the test IBANs, for test helpers that also accept the aliases of test cards. */
export const IBAN_ALIASES = TEST_IBANS.map(({ alias }) => alias)

/** Finds a test IBAN by its alias or its number, with or without spaces. */
export function findTestIban(text: string): TestIban | undefined {
  const iban = normalizeIban(text)
  return TEST_IBANS.find((one) => one.alias === text || one.iban === iban)
}

/** Finds the test IBAN of the stored data of a bank account. */
export function findTestIbanByAccount({
  country,
  last4,
}: {
  readonly country: string
  readonly last4: string
}): TestIban | undefined {
  return TEST_IBANS.find(({ iban }) => iban.startsWith(country) && iban.endsWith(last4))
}

const IBAN_MISSING = 'Enter the IBAN of your bank account.'
const IBAN_INVALID = 'This IBAN is not valid. Check it and enter it again.'
const IBAN_UNKNOWN = 'This is not a test IBAN, and no real account can be debited here. Use a test IBAN.'

/** Returns the validation errors of an IBAN, at most one error; the message does not contain the IBAN. */
export function listIbanErrors(text: string) {
  const message = findIbanError(normalizeIban(text))
  return message === null ? [] : [{ code: 'parameter_invalid_string', param: 'iban', message }]
}

function findIbanError(iban: string): string | null {
  if (iban === '') return IBAN_MISSING
  if (!isIban(iban)) return IBAN_INVALID
  return findTestIban(iban) === undefined ? IBAN_UNKNOWN : null
}
