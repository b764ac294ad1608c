import { listCardErrors, listCardholderNameErrors } from '../../domain/cards/card-validation.ts'
import { findCardByAlias, TEST_CARD_VALIDITY_YEARS, TEST_CARDS } from '../../domain/cards/test-cards.ts'
import { findTestIban, IBAN_ALIASES } from '../../domain/cards/test-ibans.ts'
import type { EnteredPaymentMethod } from '../../domain/completion/session-submission.ts'
import type { RuleContext } from '../../domain/core/changes.ts'
import { DomainError, type Unvalidated, type ValidationError } from '../../domain/core/domain-error.ts'
import * as p from '../../domain/core/params.ts'
import type { Schema } from '../../domain/core/schema.ts'
import { createWalletCard, findWalletDecision, WALLET_ALIASES } from '../../domain/payments/wallet.ts'
import type { ParamsOf } from '../core/operation.ts'

const cardField = (description: string): Schema<string | number> => ({
  type: ['string', 'integer'],
  description,
})

/** The parameters of a test helper that enters a card for the customer. */
export const testCardParams = {
  card: p.shape(
    {},
    {
      number: cardField('A test card number.'),
      exp_month: cardField('Expiry month, 1 to 12.'),
      exp_year: cardField('Expiry year of two or four digits. Renewals after the expiry month are declined.'),
      cvc: cardField('Security code: 3 digits, or 4 for American Express.'),
      name: p.text(256, 'Name of the cardholder.'),
    },
    'A test card. Give `card` or `test_card`.',
  ),
  test_card: p.choice(
    TEST_CARDS.map((card) => card.alias),
    'Alias of a test card such as `visa`, with a valid CVC and an expiry in 50 years. For another expiry use `card`. With `slow`, a session that charges the card is still open in the response and completes 3 seconds later.',
  ),
  three_d_secure: p.choice(
    ['approve', 'reject'],
    'Result of 3-D Secure authentication if the card requires it (default: approve).',
  ),
}

/** The parameters of a test helper that enters a card or a test IBAN, or approves or declines in the wallet. */
export const testCardOrWalletParams = {
  ...testCardParams,
  test_card: p.choice(
    [...TEST_CARDS.map((card) => card.alias), ...WALLET_ALIASES, ...IBAN_ALIASES],
    `${testCardParams.test_card.description} If the session offers the wallet, \`wallet\` pays with its card, and \`wallet_declined\` is declined. If the session offers \`sepa_debit\`, an alias of a test IBAN debits its account, and the outcome is known days later.`,
  ),
}

const allParams = p.shape({}, testCardParams)

export type TestCardParams = ParamsOf<{ readonly params: typeof allParams }>

/** Returns an error if `card` and `test_card` are both given. */
export function listDuplicateCardErrors({ card, test_card }: Unvalidated<TestCardParams>): ValidationError[] {
  if (card === undefined || test_card === undefined) return []
  return [{ code: 'parameters_exclusive', param: 'test_card', message: 'Give card or test_card, not both.' }]
}

/** Returns the errors of the fields of `card`. `now` is in Unix seconds; null omits the check for an expired card. */
export function listCardParamErrors(
  { card, test_card }: Unvalidated<TestCardParams>,
  now: number | null,
): ValidationError[] {
  // If a request has two cards, `listDuplicateCardErrors` reports the error.
  if (!card || test_card !== undefined) return []
  return [...listCardErrors(card, now), ...listCardholderNameErrors(card.name ?? '')]
    .filter(({ param }) => card[param] !== null)
    .map((error) => ({ ...error, param: `card[${error.param}]` }))
}

/** Runs a card rule. In validation errors, replaces field names of the form with parameter names of the body. */
export function runWithCardParamErrors<T>({ card }: TestCardParams, submit: () => T): T {
  try {
    return submit()
  } catch (error) {
    if (!(error instanceof DomainError) || !error.details.errors) throw error
    const errors = error.details.errors.map((fieldError) => ({
      ...fieldError,
      param: card === undefined ? 'test_card' : `card[${fieldError.param}]`,
    }))
    throw new DomainError(error.code, error.message, { param: errors[0]?.param ?? null, errors })
  }
}

/**
 * Returns the error for a request without a card; `action` completes "Cannot …", such as `pay invoice 'in_1'`.
 * `acceptsCard` is false for a session that only a bank account can pay.
 */
export function createMissingCardError(action: string, acceptsCard = true): DomainError {
  const fix = acceptsCard
    ? "a card. Give test_card, such as 'visa', or a card with its number, expiry and security code."
    : "a bank account. Give test_card with the alias of a test bank account, such as 'sepa_debit'."
  return new DomainError('card_number_missing', `Cannot ${action} without ${fix}`, { param: 'test_card' })
}

/** Returns the card in the parameters, or null without a card. */
export function toEnteredCard(
  { card, test_card }: TestCardParams,
  { now }: Pick<RuleContext, 'now'>,
): EnteredPaymentMethod | null {
  if (card !== undefined) return card
  if (test_card === undefined) return null
  const decision = findWalletDecision(test_card)
  if (decision !== null) return createWalletCard(decision, { now })
  const account = findTestIban(test_card)
  if (account !== undefined) return { iban: account.iban }
  const testCard = findCardByAlias(test_card)
  if (testCard === undefined) return null
  return {
    number: testCard.number,
    exp_month: 12,
    exp_year: new Date(now * 1000).getUTCFullYear() + TEST_CARD_VALIDITY_YEARS,
    cvc: testCard.cvcLength === 4 ? '1234' : '123',
  }
}
