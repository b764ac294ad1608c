import { type CardBrand, hasValidCheckDigit, normalizeCardNumber } from './card-validation.ts'
import type { CardErrorCode, DeclineCode } from './declines.ts'

/** The decline of an issuer. */
export interface DeclineDecision {
  readonly kind: 'decline'
  readonly code: CardErrorCode
  readonly decline_code: DeclineCode | null
}

export type IssuerDecision = { readonly kind: 'approve' } | DeclineDecision

/** The issuer's decision to approve and decline the charges of a customer alternately. */
export interface AlternatingDecision {
  readonly kind: 'alternate'
}

/** An approval after some seconds of wall clock time. */
export interface SlowDecision {
  readonly kind: 'slow'
  readonly seconds: number
}

/** The issuer's decision on an on-session charge. */
export type IssuerBehavior =
  | IssuerDecision
  | AlternatingDecision
  | { readonly kind: 'challenge'; readonly next: IssuerDecision }
  | SlowDecision

/** The result of a refund to the card: success immediately, success after an hour, or failure after an hour. */
export type RefundBehavior = 'at_once' | 'later' | 'fails'

/** The dispute of each payment with the card. */
export interface DisputeBehavior {
  readonly reason: 'fraudulent' | 'product_not_received'
  /** Whether the dispute is an inquiry, which withdraws no money. */
  readonly inquiry?: boolean
}

/** The validity in years of test cards that are entered without an expiry date. Tests rarely advance a clock further. */
export const TEST_CARD_VALIDITY_YEARS = 50

/** Processing time of the `slow` test card, in seconds. */
export const SLOW_CARD_SECONDS = 3

/**
 * A test card and its issuer's decisions. `offSession[n - 1]` is the decision on attempt n of an invoice; its last
 * element also applies to later attempts.
 */
export interface TestCard {
  readonly number: string
  readonly alias: string
  readonly brand: CardBrand
  readonly funding: 'credit' | 'debit' | 'prepaid'
  readonly country: string
  readonly cvcLength: 3 | 4
  readonly test_behavior: string
  readonly onSession: IssuerBehavior
  readonly onSetup: IssuerBehavior
  readonly offSession: readonly [OffSessionBehavior, ...OffSessionBehavior[]]
  readonly refunds: RefundBehavior
  readonly disputes: DisputeBehavior | null
  /** The decision on the capture of a reserved amount. */
  readonly onCapture: IssuerDecision
}

type OffSessionBehavior = IssuerDecision | AlternatingDecision

const APPROVE: IssuerDecision = { kind: 'approve' }
const ALTERNATE: AlternatingDecision = { kind: 'alternate' }
const SLOW: IssuerBehavior = { kind: 'slow', seconds: SLOW_CARD_SECONDS }
const CHALLENGE: IssuerBehavior = { kind: 'challenge', next: APPROVE }
/** A decline without a specific reason. */
export const GENERIC_DECLINE_DECISION = declined('generic_decline')
const NO_FUNDS = declined('insufficient_funds')
const LOST = declined('lost_card')
const NOT_A_TEST_CARD = declined('not_a_test_card')
const INCORRECT_NUMBER = failed('incorrect_number')
const AUTHENTICATION_REQUIRED = failed('authentication_required')

function declined(decline_code: DeclineCode): DeclineDecision {
  return { kind: 'decline', code: 'card_declined', decline_code }
}

function failed(code: CardErrorCode): DeclineDecision {
  return { kind: 'decline', code, decline_code: null }
}

function challenged(next: IssuerDecision): IssuerBehavior {
  return { kind: 'challenge', next }
}

function always(decision: IssuerDecision): Pick<TestCard, 'onSession' | 'offSession'> {
  return { onSession: decision, offSession: [decision] }
}

function testCard(number: string, alias: string, differences: Partial<TestCard> = {}): TestCard {
  return {
    number,
    alias,
    brand: 'visa',
    funding: 'credit',
    country: 'US',
    cvcLength: differences.brand === 'amex' ? 4 : 3,
    test_behavior: alias,
    onSession: APPROVE,
    onSetup: differences.onSession ?? APPROVE,
    offSession: [APPROVE],
    refunds: 'at_once',
    disputes: null,
    onCapture: APPROVE,
    ...differences,
  }
}

function plainCard(number: string, alias: string, differences: Partial<TestCard> = {}): TestCard {
  return testCard(number, alias, { test_behavior: 'always_succeeds', ...differences })
}

/** All accepted cards: Stripe's test cards with their behavior, and additional test cards of paycli. */
export const TEST_CARDS: readonly TestCard[] = [
  plainCard('4242424242424242', 'visa'),
  plainCard('4000056655665556', 'visa_debit', { funding: 'debit' }),
  plainCard('5555555555554444', 'mastercard', { brand: 'mastercard' }),
  plainCard('2223003122003222', 'mastercard_2series', { brand: 'mastercard' }),
  plainCard('5200828282828210', 'mastercard_debit', { brand: 'mastercard', funding: 'debit' }),
  plainCard('5105105105105100', 'mastercard_prepaid', { brand: 'mastercard', funding: 'prepaid' }),
  plainCard('378282246310005', 'amex', { brand: 'amex' }),
  plainCard('371449635398431', 'amex_2', { brand: 'amex' }),
  plainCard('6011111111111117', 'discover', { brand: 'discover' }),
  plainCard('3056930009020004', 'diners', { brand: 'diners' }),
  plainCard('3566002020360505', 'jcb', { brand: 'jcb', country: 'JP' }),
  plainCard('6205500000000000004', 'unionpay', { brand: 'unionpay', country: 'CN' }),

  testCard('4000000000000002', 'declined', always(GENERIC_DECLINE_DECISION)),
  testCard('4000000000009995', 'insufficient_funds', always(NO_FUNDS)),
  testCard('4000000000009987', 'lost_card', always(LOST)),
  testCard('4000000000009979', 'stolen_card', always(declined('stolen_card'))),
  testCard('4000000000000069', 'expired', always(failed('expired_card'))),
  testCard('4000000000000127', 'incorrect_cvc', always(failed('incorrect_cvc'))),
  testCard('4000000000000119', 'processing_error', always(failed('processing_error'))),
  testCard('4242424242424241', 'bad_luhn', always(INCORRECT_NUMBER)),
  testCard('4000000000006975', 'velocity', always(declined('card_velocity_exceeded'))),
  testCard('4100000000000019', 'fraudulent', always(declined('fraudulent'))),
  testCard('4000000000000341', 'decline_after_attach', {
    ...always(GENERIC_DECLINE_DECISION),
    onSetup: APPROVE,
  }),

  testCard('4000002500003155', 'sca_setup', { country: 'FR', onSession: CHALLENGE }),
  testCard('4000002760003184', 'sca_always', {
    country: 'DE',
    onSession: CHALLENGE,
    offSession: [AUTHENTICATION_REQUIRED],
  }),
  testCard('4000003800000446', 'sca_done', { country: 'IT', onSession: CHALLENGE }),
  testCard('4000008260003178', 'sca_no_funds', {
    country: 'GB',
    onSession: challenged(NO_FUNDS),
    offSession: [NO_FUNDS],
  }),
  testCard('4000008400001629', 'sca_declined', {
    onSession: challenged(GENERIC_DECLINE_DECISION),
    offSession: [GENERIC_DECLINE_DECISION],
  }),
  testCard('4000000000003220', 'sca_required', {
    onSession: CHALLENGE,
    offSession: [AUTHENTICATION_REQUIRED],
  }),

  testCard('4000000000007726', 'refund_async', { refunds: 'later' }),
  testCard('4000000000005126', 'refund_fails', { refunds: 'fails' }),
  testCard('4000000000000259', 'dispute', { disputes: { reason: 'fraudulent' } }),
  testCard('4000000000002685', 'dispute_not_received', { disputes: { reason: 'product_not_received' } }),
  testCard('4000000000001976', 'dispute_inquiry', { disputes: { reason: 'fraudulent', inquiry: true } }),

  testCard('4000009000000011', 'renewal_no_funds', { offSession: [NO_FUNDS] }),
  testCard('4000009000000029', 'renewal_flaky', { offSession: [GENERIC_DECLINE_DECISION, APPROVE] }),
  testCard('4000009000000037', 'renewal_last_chance', {
    offSession: [GENERIC_DECLINE_DECISION, GENERIC_DECLINE_DECISION, GENERIC_DECLINE_DECISION, APPROVE],
  }),
  testCard('4000009000000045', 'renewal_lost', { offSession: [LOST] }),
  testCard('4000009000000052', 'renewal_sca', { offSession: [AUTHENTICATION_REQUIRED] }),
  testCard('4000009000000060', 'slow', { onSession: SLOW, onSetup: APPROVE }),
  testCard('4000009000000078', 'every_other', {
    onSession: ALTERNATE,
    onSetup: APPROVE,
    offSession: [ALTERNATE],
  }),
  testCard('4000009000000086', 'capture_fails', { onCapture: GENERIC_DECLINE_DECISION }),
]

/** Finds a test card by its number, with or without spaces and dashes. */
export function findCardByNumber(number: string): TestCard | undefined {
  const digits = normalizeCardNumber(number)
  return TEST_CARDS.find((card) => card.number === digits)
}

/** Finds a test card by its alias, such as `visa` or `insufficient_funds`. */
export function findCardByAlias(alias: string): TestCard | undefined {
  return TEST_CARDS.find((card) => card.alias === alias)
}

/** Finds the first test card with the behavior that is stored with a saved card. */
export function findCardByBehavior(testBehavior: string): TestCard | undefined {
  return TEST_CARDS.find((card) => card.test_behavior === testBehavior)
}

/** Returns the decline of a number that is not a test card. */
export function getUnknownCardDecline(number: string): DeclineDecision {
  return hasValidCheckDigit(normalizeCardNumber(number)) ? NOT_A_TEST_CARD : INCORRECT_NUMBER
}

/**
 * Returns the issuer's decision on an off-session charge of a saved card. `attempt` is the number of the attempt, from
 * 1.
 */
export function getOffSessionBehavior(testBehavior: string, attempt: number): OffSessionBehavior {
  const decisions = findCardByBehavior(testBehavior)?.offSession ?? [NOT_A_TEST_CARD]
  return decisions[Math.min(attempt, decisions.length) - 1] ?? decisions[0]
}

/** Returns whether off-session decisions depend on the number of the attempt. */
export function isDependentOnAttemptNumber(testBehavior: string): boolean {
  return (findCardByBehavior(testBehavior)?.offSession.length ?? 0) > 1
}

/**
 * Returns the decision of the alternating card after `charges` earlier charges of the customer: the first is approved.
 */
export function getAlternatingDecision(charges: number): IssuerDecision {
  return charges % 2 === 0 ? APPROVE : GENERIC_DECLINE_DECISION
}

/** The data of a card that is stored with a payment. */
type StoredCard = { readonly brand: string; readonly last4: string }

/** Returns the result of refunds to the card of a payment. */
export function getRefundBehavior(card: StoredCard): RefundBehavior {
  return findStoredCard(card)?.refunds ?? 'at_once'
}

/** Returns the decision of the card's issuer on the capture of a payment. */
export function getCaptureDecision(card: StoredCard): IssuerDecision {
  return findStoredCard(card)?.onCapture ?? APPROVE
}

function findStoredCard({ brand, last4 }: StoredCard, cards = TEST_CARDS): TestCard | undefined {
  return cards.find((card) => card.brand === brand && card.number.endsWith(last4))
}

// The deadline of every stored payment depends on disputes, so search only the few cards that cause disputes.
const DISPUTED_CARDS = TEST_CARDS.filter(({ disputes }) => disputes !== null)

/** Returns the dispute that each payment with a card causes, or null. */
export function findDisputeBehavior(card: StoredCard): DisputeBehavior | null {
  return findStoredCard(card, DISPUTED_CARDS)?.disputes ?? null
}
